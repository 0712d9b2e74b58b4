//! Advice: refusals are written for models, and often say what would have been right ("must be one of a, b", "must end in .xlsx").

use super::feedback::mentions;
use super::folders::is_path;
use super::links::ParamKey;
use crate::schema::{JsonTypes, Parameter, advised};
use regex::Regex;
use serde_json::Value;
use std::collections::HashMap;
use std::sync::LazyLock;

/// Values kept for a parameter.
const KEPT: usize = 12;
/// Only this much of a refusal is read, in characters.
const READ: usize = 1_200;

static EXTENSION: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"(?:^|[\s"'`(\[,*])\.([a-z][a-z0-9]{1,5})\b"#)
        .expect("built-in patterns are valid")
});

/// Values that refusals advised, by parameter.
#[derive(Debug, Default)]
pub(crate) struct Advice(HashMap<ParamKey, Vec<Value>>);

impl Advice {
    /// The values advised for a parameter.
    pub(crate) fn of(&self, param: ParamKey) -> &[Value] {
        self.0.get(&param).map(Vec::as_slice).unwrap_or_default()
    }

    /// Takes what a refusal advises for a parameter that it is about; tells whether there was anything new.
    pub(crate) fn learn(&mut self, param: ParamKey, parameter: &Parameter, text: &str) -> bool {
        let kept = self.0.entry(param).or_default();
        let before = kept.len();
        for value in advice(parameter, text) {
            if kept.len() < KEPT && !kept.contains(&value) {
                kept.push(value);
            }
        }
        kept.len() > before
    }
}

/// Whether a refusal is about a parameter: it names it, or repeats what was sent for it.
pub(crate) fn is_about(parameter: &Parameter, sent: &Value, text: &str) -> bool {
    let lower = text.to_lowercase();
    let name = parameter.name.to_lowercase();
    let spoken = parameter.tokens.join(" ");
    (name.len() >= 3 && (mentions(&lower, &name) || mentions(&lower, &spoken)))
        || sent.as_str().is_some_and(|sent| sent.len() >= 3 && lower.contains(&sent.to_lowercase()))
}

/// What a refusal says that a parameter may be.
fn advice(parameter: &Parameter, text: &str) -> Vec<Value> {
    if !parameter.types.contains(JsonTypes::STRING) || !parameter.choices.is_empty() {
        return Vec::new();
    }
    let text: String = text.chars().take(READ).collect();
    let mut values = Vec::new();
    if is_path(parameter) {
        let ending = |found: regex::Captures<'_>| Value::from(format!("test.{}", &found[1]));
        values.extend(EXTENSION.captures_iter(&text).map(ending));
    }
    values.extend(advised(&text).into_iter().map(Value::from));
    values
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::{CompiledSchema, Dialect};
    use serde_json::json;

    fn parameter(name: &str) -> Parameter {
        let raw = json!({"type": "object", "properties": {name: {"type": "string"}}});
        let schema = CompiledSchema::compile(&raw, Dialect::Draft202012).unwrap();
        schema.parameters()[0].clone()
    }

    #[test]
    fn choices_are_read_where_they_are_announced() {
        let found =
            advice(&parameter("detail_level"), "Invalid detail_level. Must be one of: brief, full");
        assert!(found.contains(&json!("brief")) && found.contains(&json!("full")), "{found:?}");
        let found = advice(&parameter("kind"), "Unknown kind 'test'. Valid kinds: ['bug', 'task']");
        assert!(found.contains(&json!("bug")) && found.contains(&json!("task")), "{found:?}");
        let found = advice(
            &parameter("column"),
            r#"{"error": "Invalid column", "valid_columns": ["TO DO", "DONE"]}"#,
        );
        assert_eq!(found[..2], [json!("TO DO"), json!("DONE")]);
        assert!(advice(&parameter("name"), "there is no such thing").is_empty());
    }

    #[test]
    fn endings_of_files_are_for_paths_only() {
        let text = "Path 'test.txt' must point to an Excel file (.xlsm, .xlsx).";
        assert_eq!(advice(&parameter("path"), text)[..2], [json!("test.xlsm"), json!("test.xlsx")]);
        assert!(!advice(&parameter("title"), text).contains(&json!("test.xlsx")));
    }

    #[test]
    fn a_refusal_is_about_what_it_names_or_repeats() {
        let path = parameter("file_path");
        assert!(is_about(&path, &json!("x"), "file path is wrong"));
        assert!(is_about(&path, &json!("test.txt"), "no file 'test.txt'"));
        assert!(!is_about(&path, &json!("x"), "out of memory"));
    }
}
