//! Advice: refusals are written for models, and often say what would have been right ("must be one of a, b", "must end in .xlsx").

use super::demands::Demands;
use super::feedback::mentions;
use super::folders::is_path;
use super::links::ParamKey;
use crate::schema::{JsonTypes, Parameter, advised, files};
use regex::Regex;
use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::Value;
use std::sync::LazyLock;

/// Values kept for a parameter.
const KEPT: usize = 12;
/// Only this much of a refusal is read, in characters.
const READ: usize = 1_200;

static EXTENSION: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"(?:^|[\s"'`(\[,*])\.([a-z][a-z0-9]{1,5})\b"#)
        .expect("built-in patterns are valid")
});

static LENGTH: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"at least (\d{1,3}) (?:characters|chars|letters)")
        .expect("built-in patterns are valid")
});

static ENDS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)\bend(?:s|ing)? (?:with|in)\b").expect("built-in patterns are valid")
});

static RANGE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(concat!(
        r"(?i)(?:between|from|range|available|valid|allowed|must be|indices|indexes)[^.\n\d-]{0,24}",
        r"(-?\d{1,9})\s*(?:-|–|to|and|\.\.|,)\s*(-?\d{1,9})"
    ))
    .expect("built-in patterns are valid")
});

static LEAST: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?i)(?:at least|greater than(?: or equal to)?|minimum(?: is| of)?:?|>=?) (-?\d{1,9})",
    )
    .expect("built-in patterns are valid")
});

/// A sentence of at least so many characters.
fn long_text(least: usize) -> Value {
    let words = "the first step was missing because nobody had written it down ";
    let text: String = words.chars().cycle().take(least.max(words.len())).collect();
    Value::from(text.trim_end().to_owned() + " at all")
}

/// Values that refusals advised, by parameter.
#[derive(Debug, Default)]
pub(crate) struct Advice {
    values: FxHashMap<ParamKey, Vec<Value>>,
    /// Endings that names of files must have, with their dots.
    endings: FxHashMap<ParamKey, Vec<String>>,
    /// Optional parameters that refusals asked for.
    demanded: FxHashSet<ParamKey>,
}

impl Advice {
    /// The values advised for a parameter.
    pub(crate) fn of(&self, param: ParamKey) -> &[Value] {
        self.values.get(&param).map(Vec::as_slice).unwrap_or_default()
    }

    /// The endings that a parameter's values must have; none where refusals said nothing of it.
    pub(crate) fn endings(&self, param: ParamKey) -> &[String] {
        self.endings.get(&param).map(Vec::as_slice).unwrap_or_default()
    }

    /// Whether a refusal asked for an optional parameter.
    pub(crate) fn demands(&self, param: ParamKey) -> bool {
        self.demanded.contains(&param)
    }

    /// Takes what a refusal says of a parameter that was not given, or of the value that one is to be set to; tells whether there was
    /// anything new.
    pub(crate) fn learn_demand(
        &mut self,
        param: ParamKey,
        parameter: &Parameter,
        given: bool,
        demands: &Demands,
    ) -> bool {
        let setting = demands.setting(parameter);
        if !given && (setting.is_some() || demands.name(parameter)) {
            self.demanded.insert(param);
        }
        let Some(value) = setting else { return false };
        let kept = self.values.entry(param).or_default();
        let new = !kept.contains(&value);
        if new {
            kept.insert(0, value);
            kept.truncate(KEPT);
        }
        new
    }

    /// Takes what a refusal advises for a parameter that it is about; tells whether there was anything new.
    pub(crate) fn learn(&mut self, param: ParamKey, parameter: &Parameter, text: &str) -> bool {
        if is_text(parameter) {
            let known = self.endings.entry(param).or_default();
            for ending in endings(parameter, text) {
                if known.len() < KEPT && !known.contains(&ending) {
                    known.push(ending);
                }
            }
        }
        let kept = self.values.entry(param).or_default();
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

/// Whether a refusal says that a session has no calls left.
pub(crate) fn is_spent(text: &str) -> bool {
    let lower = text.to_lowercase();
    ["rate limit", "quota exceeded", "too many requests", "calls left"]
        .iter()
        .any(|words| lower.contains(words))
}

/// Whether a refusal names a parameter as nobody would by chance: `csv_path`.
pub(crate) fn names(parameter: &Parameter, text: &str) -> bool {
    parameter.tokens.len() > 1 && mentions(&text.to_lowercase(), &parameter.name.to_lowercase())
}

/// Whether a refusal repeats what was sent, in quotes.
pub(crate) fn quotes(text: &str, sent: &Value) -> bool {
    let sent = sent.as_str().filter(|sent| !sent.is_empty());
    sent.is_some_and(|sent| {
        ['"', '\'', '`'].iter().any(|quote| text.contains(&format!("{quote}{sent}{quote}")))
    })
}

/// Whether a parameter's name has the ending of files that a refusal asks for: `csv_path`, where it must be `.csv`.
pub(crate) fn is_of_kind(parameter: &Parameter, text: &str) -> bool {
    let asked = endings(parameter, text);
    asked.iter().any(|ending| parameter.tokens.iter().any(|word| *word == ending[1..]))
}

/// Whether a parameter takes any text.
fn is_text(parameter: &Parameter) -> bool {
    parameter.types.contains(JsonTypes::STRING) && parameter.choices.is_empty()
}

/// The endings that a refusal asks for, with their dots.
fn endings(parameter: &Parameter, text: &str) -> Vec<String> {
    let text: String = text.chars().take(READ).collect();
    if !is_path(parameter) && !ENDS.is_match(&text) {
        return Vec::new();
    }
    EXTENSION.captures_iter(&text).map(|found| format!(".{}", &found[1])).collect()
}

/// What a refusal says that a parameter may be.
fn advice(parameter: &Parameter, text: &str) -> Vec<Value> {
    let text: String = text.chars().take(READ).collect();
    let mut values = Vec::new();
    if parameter.types.intersects(JsonTypes::INTEGER.with(JsonTypes::NUMBER)) {
        values.extend(numbers(&text));
    }
    if !is_text(parameter) {
        return values;
    }
    for ending in endings(parameter, &text) {
        values.extend(files::names(&ending[1..]).map(Value::from));
    }
    values.extend(advised(&text).into_iter().map(Value::from));
    values.extend(LENGTH.captures(&text).and_then(|found| found[1].parse().ok()).map(long_text));
    values
}

/// Numbers within the limits that a refusal names.
fn numbers(text: &str) -> Vec<Value> {
    let number = |found: Option<regex::Match<'_>>| found?.as_str().parse::<i64>().ok();
    let mut values = Vec::new();
    for found in RANGE.captures_iter(text) {
        if let (Some(low), Some(high)) = (number(found.get(1)), number(found.get(2)))
            && low <= high
        {
            values.extend([low, high]);
        }
    }
    for found in LEAST.captures_iter(text) {
        values.extend(number(found.get(1)).into_iter().flat_map(|least| [least + 1, least]));
    }
    values.into_iter().map(Value::from).collect()
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
        let found =
            advice(&parameter("action"), "Unknown action: x. Valid actions: advance, get, set");
        assert!(found.contains(&json!("advance")) && found.contains(&json!("set")), "{found:?}");
        let found =
            advice(&parameter("id"), "id must look like rec_00001. Copy it from get_patterns");
        assert!(found.contains(&json!("rec_00001")), "{found:?}");
        let text = "Invalid secret '1'. Expected format: vault://box/item";
        let found = advice(&parameter("secret"), text);
        assert!(found.contains(&json!("vault://box/item")), "{found:?}");
        let found =
            advice(&parameter("cause"), "the cause is too vague. Write at least 70 characters");
        assert!(found.iter().any(|text| text.as_str().unwrap().len() >= 70), "{found:?}");
        assert!(advice(&parameter("name"), "there is no such thing").is_empty());
    }

    #[test]
    fn endings_of_files_are_for_paths_only() {
        let text = "Path 'test.txt' must point to an Excel file (.xlsm, .xlsx).";
        assert_eq!(
            advice(&parameter("path"), text)[..2],
            [json!("sample.xlsm"), json!("test.xlsm")]
        );
        let text = "Chapter name must end with .md";
        assert_eq!(
            advice(&parameter("chapter_name"), text)[..2],
            [json!("sample.md"), json!("test.md")]
        );
        assert!(!advice(&parameter("title"), text).contains(&json!("test.xlsx")));
    }

    #[test]
    fn limits_are_read_for_numbers() {
        let raw = json!({"type": "object", "properties": {"index": {"type": "integer"}}});
        let schema = CompiledSchema::compile(&raw, Dialect::Draft202012).unwrap();
        let found = |text: &str| advice(&schema.parameters()[0], text);
        assert_eq!(found("Invalid index: 7. Available slides: 0-2"), [json!(0), json!(2)]);
        assert_eq!(found("Invalid index: 7. Available slides: 0--1"), [] as [Value; 0]);
        assert_eq!(found("index must be between 1 and 5."), [json!(1), json!(5)]);
        assert_eq!(found("index: must be greater than 0.0")[0], json!(1));
    }

    #[test]
    fn a_session_without_calls_left_is_over() {
        assert!(is_spent("Rate limit reached (10/day)") && !is_spent("limit must be at most 10"));
    }

    #[test]
    fn a_refusal_is_about_what_it_names_or_repeats() {
        let path = parameter("file_path");
        assert!(is_about(&path, &json!("x"), "file path is wrong"));
        assert!(is_about(&path, &json!("test.txt"), "no file 'test.txt'"));
        assert!(!is_about(&path, &json!("x"), "out of memory"));
        let text = "Path 'a.txt' must point to a CSV file (.csv, .tsv).";
        assert!(is_of_kind(&parameter("csv_path"), text) && !is_of_kind(&path, text));
    }
}
