//! A configuration file as text: turns byte offsets into lines, and faults into errors.

use super::ConfigError;
use serde_json::{Map, Number, Value};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A configuration file being read.
pub(super) struct Document<'a> {
    pub(super) text: &'a str,
    pub(super) path: &'a str,
}

impl Document<'_> {
    /// A fault at a byte offset.
    pub(super) fn fault(&self, offset: usize, message: impl Into<String>) -> ConfigError {
        let line = 1 + self.text.get(..offset).unwrap_or(self.text).matches('\n').count();
        ConfigError {
            path: self.path.to_owned(),
            line: Some(line),
            message: message.into(),
            suggestion: None,
        }
    }

    /// A fault about a word that is not one of the known ones.
    pub(super) fn unknown<'b>(
        &self,
        offset: usize,
        message: impl Into<String>,
        word: &str,
        known: impl IntoIterator<Item = &'b str> + Clone,
    ) -> ConfigError {
        let mut fault = self.fault(offset, message);
        fault.suggestion = crate::suggest::did_you_mean(word, known.clone()).or_else(|| {
            let known: Vec<String> = known.into_iter().map(|name| format!("`{name}`")).collect();
            match known.len() {
                0 => None,
                1..=12 => Some(format!("known: {}", known.join(", "))),
                _ => Some("`tooltest lints` lists what there is".to_owned()),
            }
        });
        fault
    }

    /// Checks a table against the fields that `defaults` has; each value is tried alone, so that a fault has a line.
    pub(super) fn fields(
        &self,
        table: &DeTable<'_>,
        of: &str,
        defaults: &Value,
        accept: impl Fn(&Value) -> Result<(), String>,
    ) -> Result<Value, ConfigError> {
        let known = defaults.as_object();
        let names = || known.into_iter().flat_map(|fields| fields.keys().map(String::as_str));
        let mut object = Map::new();
        for (key, value) in table {
            let (name, offset) = (key.get_ref().as_ref(), key.span().start);
            if names().all(|field| field != name) {
                let names: Vec<&str> = names().collect();
                let message = if names.is_empty() {
                    format!("{of} has no parameters, so it has no `{name}`")
                } else {
                    format!("{of} has no `{name}`")
                };
                return Err(self.unknown(offset, message, name, names));
            }
            let json = json(value);
            let alone = Value::Object(Map::from_iter([(name.to_owned(), json.clone())]));
            accept(&alone).map_err(|reason| {
                let default = known.and_then(|fields| fields.get(name)).unwrap_or(&Value::Null);
                let message = format!("`{name}` of {of}: {}", in_words(&reason));
                let mut fault = self.fault(value.span().start, message);
                if !default.is_null() {
                    fault.suggestion = Some(format!("the default is {default}"));
                }
                fault
            })?;
            object.insert(name.to_owned(), json);
        }
        Ok(Value::Object(object))
    }
}

/// A type's complaint without the names of Rust's types.
fn in_words(reason: &str) -> String {
    const NAMES: [(&str, &str); 5] = [
        ("expected usize", "expected a whole number of 0 or more"),
        ("expected u64", "expected a whole number of 0 or more"),
        ("expected f64", "expected a number"),
        ("expected a sequence", "expected an array"),
        ("floating point", "number"),
    ];
    NAMES.iter().fold(reason.to_owned(), |text, (name, words)| text.replace(name, words))
}

/// What kind of value it is, with its article.
pub(super) fn kind(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "a string",
        DeValue::Integer(_) => "an integer",
        DeValue::Float(_) => "a float",
        DeValue::Boolean(_) => "a boolean",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "an array",
        DeValue::Table(_) => "a table",
    }
}

/// A TOML value as JSON; dates become strings, and what JSON has no number for becomes null.
fn json(value: &Spanned<DeValue<'_>>) -> Value {
    match value.get_ref() {
        DeValue::String(text) => Value::from(text.as_ref()),
        DeValue::Integer(number) => i64::from_str_radix(number.as_str(), number.radix())
            .map(Value::from)
            .or_else(|_| u64::from_str_radix(number.as_str(), number.radix()).map(Value::from))
            .unwrap_or_default(),
        DeValue::Float(number) => {
            let number = number.as_str().parse().ok().and_then(Number::from_f64);
            number.map_or(Value::Null, Value::Number)
        }
        DeValue::Boolean(flag) => Value::Bool(*flag),
        DeValue::Datetime(date) => Value::from(date.to_string()),
        DeValue::Array(items) => Value::Array(items.iter().map(json).collect()),
        DeValue::Table(members) => Value::Object(
            members.iter().map(|(key, value)| (key.get_ref().to_string(), json(value))).collect(),
        ),
    }
}
