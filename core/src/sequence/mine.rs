//! Mining: which values an exchange brought, where they stand, and which belong together.

use super::finds::{Base, Finds};
use super::tokens::token;
use crate::case::Source;
use crate::exchange::Exchange;
use crate::pointer::{Members, Places};
use serde_json::Value;

/// A value found in an exchange.
#[derive(Debug, Clone)]
pub struct Mined {
    /// The value: a string, a number or a boolean.
    pub value: Value,
    /// Where it was found.
    pub source: Source,
    /// Its place with array indices masked, for example `items/*/id`; equal for like values.
    pub path: String,
    /// The enclosing objects, innermost first, numbered within the exchange.
    pub objects: Vec<u32>,
}

/// The values of an answer. `text` tells whether prose is mined, too.
pub fn answer(exchange: &Exchange, text: bool) -> Vec<Mined> {
    find_in_answer(exchange, text).mined()
}

/// The same, where they lie.
pub(crate) fn find_in_answer(exchange: &Exchange, text: bool) -> Finds<'_> {
    let mut found = Finds::with_room();
    let Some(result) = exchange.result() else {
        return found;
    };
    if let Some(structured) = result.member("structuredContent") {
        found.all(structured, "/structuredContent", Base::Result);
    }
    let structured = !found.is_empty();
    for (block, content) in
        result.member("content").and_then(Value::as_array).into_iter().flatten().take(8).enumerate()
    {
        if let Some(uri) = content.member("uri").filter(|uri| uri.is_string()) {
            found.uri(block, uri);
        }
        if let (Some(body), false) = (content.member("text").and_then(Value::as_str), structured) {
            found.text(block, body, exchange.document(block), text);
        }
    }
    if result.member("content").is_none() && result.member("structuredContent").is_none() {
        found.all(result, "", Base::Result);
    }
    found
}

/// Whether a value of a refusal only repeats (a part of) what was sent.
pub fn echoes(value: &Value, sent: &Value) -> bool {
    match (value, sent) {
        (Value::String(value), Value::String(sent)) => {
            sent.contains(value.as_str()) || (sent.len() >= 3 && value.contains(sent.as_str()))
        }
        (Value::Number(value), Value::String(sent)) => *sent == value.to_string(),
        (Value::String(value), Value::Number(sent)) => *value == sent.to_string(),
        _ => value == sent,
    }
}

/// The values of the arguments of a call that succeeded.
pub fn arguments(arguments: &Value) -> Vec<Mined> {
    find_in_arguments(arguments).mined()
}

/// The same, where they lie.
pub(crate) fn find_in_arguments(arguments: &Value) -> Finds<'_> {
    let mut found = Finds::with_room();
    found.all(arguments, "", Base::Argument);
    found
}

/// The value that `source` names in an exchange, if it is there.
pub fn resolve(source: &Source, exchange: &Exchange, arguments: Option<&Value>) -> Option<Value> {
    let block_text =
        |block: usize| exchange.result()?.member("content")?.get(block)?.member("text")?.as_str();
    match source {
        Source::Result { pointer } => exchange.result()?.place(pointer).cloned(),
        Source::TextJson { block, pointer } => {
            if let Some(document) = exchange.document(*block) {
                return document.place(pointer).cloned();
            }
            let value: Value = serde_json::from_str(block_text(*block)?).ok()?;
            value.place(pointer).cloned()
        }
        Source::TextToken { block, token: kind, index } => {
            let text = token(block_text(*block)?, kind, *index)?;
            Some(numeric(kind, &text).unwrap_or(Value::String(text)))
        }
        Source::Argument { pointer } => arguments?.place(pointer).cloned(),
    }
}

/// A number's text as a number; kinds of tokens other than plain numbers stay text.
pub(super) fn numeric(kind: &str, text: &str) -> Option<Value> {
    (kind == "number").then(|| text.parse::<i64>().ok().map(Value::from)).flatten()
}

/// Whether a key is the name of a file rather than of a member: `notes/a.md`.
pub(super) fn is_file_name(key: &str) -> bool {
    let ending = key.rsplit_once('.').filter(|(stem, _)| !stem.is_empty());
    ending.is_some_and(|(_, ending)| {
        (1..=6).contains(&ending.len())
            && ending.bytes().all(|b| b.is_ascii_alphanumeric())
            && ending.bytes().any(|b| b.is_ascii_alphabetic())
    })
}

/// Objects whose keys are ids: two or more members, all objects, all keys with a digit.
pub(super) fn is_map_by_id(members: &serde_json::Map<String, Value>) -> bool {
    members.len() >= 2
        && members
            .iter()
            .all(|(key, value)| value.is_object() && key.bytes().any(|b| b.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn values_know_their_path_and_object() {
        let mined = arguments(&json!({"task": {"id": "t1", "tags": ["a"]}, "n": 3}));
        let id = mined.iter().find(|m| m.value == "t1").expect("mined");
        assert_eq!(id.path, "task/id");
        assert_eq!(id.source, Source::Argument { pointer: "/task/id".to_owned() });
        assert_eq!(id.objects, [2, 1]);
        assert!(mined.iter().any(|m| m.path == "task/tags/*"));
    }

    #[test]
    fn names_of_files_are_values_where_something_stands_under_them() {
        let mined = arguments(&json!({"sample.xlsx": 5375, "note.md": "text", "total": 2}));
        let keys: Vec<_> = mined.iter().filter(|m| m.path == "*key").map(|m| &m.value).collect();
        assert_eq!(keys, [&json!("sample.xlsx")]);
    }
}
