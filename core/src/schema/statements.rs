//! Statements of SQL, for parameters that take them: chosen by the verbs that the tool's own words name.

use serde_json::Value;

use super::{JsonTypes, Parameter};

/// What a statement does, in the words that descriptions use for it, and the statements; all are about one small table.
const STATEMENTS: &[(&[&str], &[&str])] = &[
    (
        &["create"],
        &[
            "CREATE TABLE IF NOT EXISTS items (id INTEGER PRIMARY KEY, name TEXT)",
            "CREATE TABLE things (id INTEGER, name TEXT)",
        ],
    ),
    (
        &["select", "read", "fetch", "export"],
        &["SELECT 1", "SELECT * FROM items", "SELECT 1 AS id, 'one' AS name"],
    ),
    (&["insert", "write", "add row"], &["INSERT INTO items (name) VALUES ('one')"]),
    (&["update", "write"], &["UPDATE items SET name = 'two' WHERE id = 1"]),
    (&["delete", "write"], &["DELETE FROM items WHERE id = 1"]),
    (
        &["alter", "modify"],
        &["ALTER TABLE items ADD COLUMN note TEXT", "ALTER TABLE items RENAME TO things"],
    ),
    (&["drop"], &["DROP TABLE IF EXISTS things"]),
];

/// Names, in words, of parameters that may hold a statement.
const NAMES: &[&str] = &["query", "sql", "statement"];
/// Words that say that there is a database to ask.
const SUBJECTS: &[&str] = &["sql", "table", "database", "select quer", "delete quer"];

/// Statements for a parameter, those that its description and the tool's (`about`) ask for; none where there is no talk of a database.
pub(super) fn statements(parameter: &Parameter, described: &str, about: &str) -> Vec<Value> {
    let is_named = parameter.tokens.last().is_some_and(|word| NAMES.contains(&word.as_str()));
    if !is_named || !parameter.types.contains(JsonTypes::STRING) {
        return Vec::new();
    }
    let said = format!("{} {described} {about}", parameter.tokens.join(" ")).to_lowercase();
    if !SUBJECTS.iter().any(|subject| said.contains(subject)) {
        return Vec::new();
    }
    let asked = |verbs: &[&str]| verbs.iter().any(|verb| said.contains(verb));
    let any = STATEMENTS.iter().any(|(verbs, _)| asked(verbs));
    STATEMENTS
        .iter()
        .filter(|(verbs, _)| !any || asked(verbs))
        .flat_map(|(_, statements)| statements.iter().map(|text| Value::from(*text)))
        .collect()
}

#[cfg(test)]
mod tests {
    use crate::schema::{CompiledSchema, Dialect};
    use serde_json::json;

    fn hints(about: &str) -> Vec<serde_json::Value> {
        let schema = json!({"type": "object", "properties": {"query": {"type": "string"}}});
        let schema =
            CompiledSchema::compile(&schema, Dialect::Draft202012).unwrap().with_description(about);
        schema.all_parameters().at("/query").unwrap().hints.clone()
    }

    #[test]
    fn a_query_of_a_database_is_a_statement_of_the_kind_that_the_tool_names() {
        let found = hints("Execute SELECT queries to read data from the database");
        assert_eq!(found[0], json!("SELECT 1"));
        assert!(!found.iter().any(|hint| hint.as_str().unwrap().starts_with("ALTER")));
        let found = hints("Modify existing table schema (add columns, rename tables)");
        assert!(found[0].as_str().unwrap().starts_with("ALTER TABLE"));
        assert!(hints("Runs SQL").len() > hints("Drop a table of the database").len());
    }

    #[test]
    fn a_query_that_searches_is_none() {
        for hint in hints("Searches the notes") {
            assert!(!hint.as_str().unwrap().contains("SELECT"), "{hint}");
        }
    }
}
