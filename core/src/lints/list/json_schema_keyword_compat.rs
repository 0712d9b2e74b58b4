//! `json_schema_keyword_compat`.

use super::tool_schema::schemas;
use crate::lints::meta::lint;
use crate::lints::{Lint, ListContext, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use crate::schema::Dialect;
#[cfg(test)]
use serde_json::json;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

lint! {
    /// A schema uses a keyword that its dialect does not know.
    ///
    /// Validators ignore unknown keywords in silence, so that what was meant is not checked. Without `$schema` the dialect is 2020-12.
    JsonSchemaKeywordCompat(List, Warning) {}
    spec: "basic/index#schema-dialect", fix: "Name in `$schema` the dialect that the schema is written in, or use that dialect's keyword."
}

use Dialect::{Draft4, Draft6, Draft7, Draft201909, Draft202012};

/// Keywords that check something, with the first and the last dialect that knows them, and what to write elsewhere.
const KEYWORDS: [(&str, Dialect, Dialect, &str); 20] = [
    ("const", Draft6, Draft202012, "`enum` with one value"),
    ("contains", Draft6, Draft202012, ""),
    ("propertyNames", Draft6, Draft202012, ""),
    ("if", Draft7, Draft202012, "`anyOf`"),
    ("then", Draft7, Draft202012, "`anyOf`"),
    ("else", Draft7, Draft202012, "`anyOf`"),
    ("dependencies", Draft4, Draft7, "`dependentRequired` or `dependentSchemas`"),
    ("dependentRequired", Draft201909, Draft202012, "`dependencies`"),
    ("dependentSchemas", Draft201909, Draft202012, "`dependencies`"),
    ("unevaluatedProperties", Draft201909, Draft202012, "`additionalProperties`"),
    ("unevaluatedItems", Draft201909, Draft202012, "`additionalItems`"),
    ("minContains", Draft201909, Draft202012, ""),
    ("maxContains", Draft201909, Draft202012, ""),
    ("$anchor", Draft201909, Draft202012, "`$id` with a fragment"),
    ("$recursiveRef", Draft201909, Draft201909, "`$dynamicRef`"),
    ("prefixItems", Draft202012, Draft202012, "`items` with an array"),
    ("$dynamicRef", Draft202012, Draft202012, "`$ref`"),
    ("nullable", Draft202012, Draft4, "a `type` array with \"null\""),
    ("divisibleBy", Draft202012, Draft4, "`multipleOf`"),
    ("disallow", Draft202012, Draft4, "`not`"),
];

/// Keywords that only say something about a schema, so that it does no harm when `$ref` hides them.
const HARMLESS: [&str; 15] = [
    "$ref",
    "$id",
    "$schema",
    "$defs",
    "definitions",
    "$comment",
    "title",
    "description",
    "default",
    "examples",
    "example",
    "deprecated",
    "readOnly",
    "writeOnly",
    "type",
];

impl Lint for JsonSchemaKeywordCompat {
    fn list(&self, context: &ListContext<'_>, problems: &mut Vec<Problem>) {
        for schema in schemas(context.catalog) {
            let dialect = match schema
                .root
                .get("$schema")
                .map(|uri| uri.as_str().and_then(Dialect::from_uri))
            {
                None => Draft202012,
                Some(Some(dialect)) => dialect,
                // Of an unknown dialect nothing can be said.
                Some(None) => continue,
            };
            let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
            for inner in schema.inner() {
                let Some(members) = inner.value.as_object() else {
                    continue;
                };
                for message in faults(members, dialect) {
                    found.entry(message).or_default().push(inner.pointer.clone());
                }
            }
            for (message, pointers) in found {
                let more = match pointers.len() {
                    1 => String::new(),
                    count => format!(" (and in {} more places)", count - 1),
                };
                problems.push(schema.problem(&message, &pointers[0], format!("{message}{more}")));
            }
        }
    }
}

/// What the keywords of one schema mean elsewhere but not in `dialect`.
fn faults(members: &Map<String, Value>, dialect: Dialect) -> Vec<String> {
    if dialect.ref_hides_siblings() && members.get("$ref").is_some_and(Value::is_string) {
        let hidden = members
            .keys()
            .find(|name| !HARMLESS.contains(&name.as_str()) && !name.starts_with("x-"));
        return hidden
            .map(|name| format!("`{name}` beside `$ref` is ignored in this dialect"))
            .into_iter()
            .collect();
    }
    let unknown = KEYWORDS.iter().filter(|(name, first, last, _)| {
        (dialect < *first || dialect > *last)
            && members.get(*name).is_some_and(|value| matters(name, value))
    });
    unknown
        .map(|(name, _, _, instead)| {
            let instead =
                if instead.is_empty() { String::new() } else { format!("; write {instead}") };
            format!("`{name}` is not a keyword of this dialect and is ignored{instead}")
        })
        .collect()
}

/// Whether leaving the keyword out changes anything.
fn matters(name: &str, value: &Value) -> bool {
    match name {
        "nullable" => value == &Value::Bool(true),
        "dependencies" => value.as_object().is_some_and(|entries| !entries.is_empty()),
        _ => true,
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    const DRAFT7: &str = "http://json-schema.org/draft-07/schema#";
    let schema =
        |a: Value| Scene::new().input_schema(json!({"type": "object", "properties": {"a": a}}));
    let draft7 = |a: Value| {
        Scene::new()
            .input_schema(json!({"$schema": DRAFT7, "type": "object", "properties": {"a": a}}))
    };
    Examples::of(&ENTRY)
        .flags("inputSchema at /properties/a: `nullable` is not a keyword of this dialect", schema(json!({"type": "string", "nullable": true})))
        .flags("`dependencies` is not a keyword", schema(json!({"dependencies": {"a": ["b"]}})))
        .flags("`prefixItems` is not a keyword of this dialect and is ignored; write `items` with an array", draft7(json!({"prefixItems": [{}]})))
        .flags("`minLength` beside `$ref` is ignored", draft7(json!({"$ref": "#/definitions/A", "minLength": 1})))
        .passes(schema(json!({"prefixItems": [{}], "nullable": false, "$ref": "#", "minLength": 1})))
        .passes(draft7(json!({"if": {}, "dependencies": {"a": ["b"]}})))
        .passes(draft7(json!({"$ref": "#/definitions/A", "description": "A."})))
}
