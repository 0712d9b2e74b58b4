//! What the value of a flag looks like, and reading it.

use super::fields::resolve;
use serde_json::{Map, Value};
use tooltest_core::target::split_words;

/// What a flag's value looks like.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Kind {
    Flag,
    Integer,
    Number,
    Text,
    Choice(Vec<String>),
    /// Strings, separated by commas or given in several flags; `Some` lists what they may be.
    Texts(Option<Vec<String>>),
    Numbers,
    /// One string that is split as in a shell.
    CommandLine,
    /// `key=value`, several times.
    Entries,
    /// JSON, or `@FILE`.
    Json,
}

impl Kind {
    /// The kind of value that a property of the schema takes.
    pub(super) fn of(path: &[String], property: &'static Value) -> Self {
        if path.last().is_some_and(|name| name == "pre_run_hook") {
            return Self::CommandLine;
        }
        let property = resolve(property);
        if let Some(choices) = choices(property) {
            return Self::Choice(choices);
        }
        let types: Vec<&str> = match property.get("type") {
            Some(Value::String(one)) => vec![one],
            Some(Value::Array(several)) => several.iter().filter_map(Value::as_str).collect(),
            _ => return Self::Json,
        };
        let is = |name: &str| types.contains(&name);
        let items = property.get("items").map(resolve);
        let item_type = items.and_then(|items| items.get("type")).and_then(Value::as_str);
        match items.and_then(choices) {
            Some(choices) if is("array") => Self::Texts(Some(choices)),
            _ if is("boolean") => Self::Flag,
            _ if is("integer") => Self::Integer,
            _ if is("number") => Self::Number,
            _ if is("string") => Self::Text,
            _ if is("array") && item_type == Some("string") => Self::Texts(None),
            _ if is("array") && item_type == Some("number") => Self::Numbers,
            _ if is("object") && path.last().is_some_and(|name| name == "seed_values") => {
                Self::Entries
            }
            _ => Self::Json,
        }
    }

    /// Parses one flag's text.
    pub(super) fn parse(&self, text: &str) -> Result<Value, String> {
        match self {
            Self::Flag => text
                .parse::<bool>()
                .map(Value::from)
                .map_err(|_| "expected true or false".to_owned()),
            Self::Integer => text
                .replace('_', "")
                .parse::<u64>()
                .map(Value::from)
                .map_err(|_| "expected a whole number, 0 or more".to_owned()),
            Self::Number => number(text),
            Self::Text => Ok(text.into()),
            Self::Choice(choices) => one_of(choices, text),
            Self::Texts(Some(choices)) => parts(text).map(|part| one_of(choices, part)).collect(),
            Self::Texts(None) => Ok(parts(text).collect()),
            Self::Numbers => parts(text).map(number).collect(),
            Self::CommandLine => split_words(text)
                .map(|words| words.into_iter().collect())
                .map_err(|error| error.to_string()),
            Self::Entries => entry(text),
            Self::Json => json(text),
        }
    }
}

/// The values of an enumeration, as `enum` or as a `oneOf` of constants.
fn choices(property: &'static Value) -> Option<Vec<String>> {
    let listed = property.get("enum").and_then(Value::as_array);
    let constants = property.get("oneOf").and_then(Value::as_array);
    let from_list = |list: &'static Vec<Value>| {
        list.iter().map(|v| v.as_str().map(str::to_owned)).collect::<Option<Vec<_>>>()
    };
    match (listed, constants) {
        (Some(list), _) => from_list(list),
        (None, Some(list)) => {
            list.iter().map(|v| v.get("const")?.as_str().map(str::to_owned)).collect()
        }
        (None, None) => None,
    }
}

fn parts(text: &str) -> impl Iterator<Item = &str> {
    text.split(',').map(str::trim).filter(|part| !part.is_empty())
}

fn number(text: &str) -> Result<Value, String> {
    let value: f64 = text.trim().parse().map_err(|_| format!("expected a number, not `{text}`"))?;
    serde_json::Number::from_f64(value)
        .map(Value::Number)
        .ok_or_else(|| "expected a finite number".to_owned())
}

fn one_of(choices: &[String], text: &str) -> Result<Value, String> {
    if choices.iter().any(|choice| choice == text) {
        return Ok(text.into());
    }
    let meant = tooltest_core::suggest::did_you_mean(text, choices.iter().map(String::as_str));
    let meant = meant.map(|meant| format!("; {meant}")).unwrap_or_default();
    Err(format!("`{text}` is none of {}{meant}", choices.join(", ")))
}

/// `tool.parameter=VALUE`, where the value is JSON or else a string; or an object of arrays.
fn entry(text: &str) -> Result<Value, String> {
    if text.trim_start().starts_with('{') || text.starts_with('@') {
        return json(text);
    }
    let (key, value) =
        text.split_once('=').ok_or("expected PARAMETER=VALUE or TOOL.PARAMETER=VALUE")?;
    let value = serde_json::from_str(value).unwrap_or_else(|_| Value::from(value));
    let mut entries = Map::new();
    entries.insert(key.to_owned(), Value::Array(vec![value]));
    Ok(Value::Object(entries))
}

fn json(text: &str) -> Result<Value, String> {
    let read = match text.strip_prefix('@') {
        Some(path) => std::fs::read_to_string(path)
            .map_err(|error| format!("{path}: {}", crate::failure::plain(&error)))?,
        None => text.to_owned(),
    };
    serde_json::from_str(&read).map_err(|error| format!("not JSON: {error}"))
}
