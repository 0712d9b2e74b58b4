//! Mining: which values an exchange brought, where they stand, and which belong together.

use super::tokens::{token, tokens};
use crate::case::Source;
use crate::exchange::Exchange;
use crate::pointer::Places;
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

/// How many values one exchange yields at most.
const CAP: usize = 160;
/// Longer strings are not kept.
const LONGEST: usize = 400;

/// The values of an answer. `text` tells whether prose is mined, too.
pub fn answer(exchange: &Exchange, text: bool) -> Vec<Mined> {
    let mut found = Miner::default();
    let Some(result) = exchange.result() else {
        return found.mined;
    };
    if let Some(structured) = result.get("structuredContent") {
        found.all(structured, "/structuredContent", Base::Result);
    }
    let structured = !found.mined.is_empty();
    for (block, content) in
        result.get("content").and_then(Value::as_array).into_iter().flatten().take(8).enumerate()
    {
        if let Some(uri) = content.get("uri").and_then(Value::as_str) {
            found.push(
                Value::from(uri),
                Source::Result { pointer: format!("/content/{block}/uri") },
                "uri",
            );
        }
        if let (Some(body), false) = (content.get("text").and_then(Value::as_str), structured) {
            found.text(block, body, exchange.document(block), text);
        }
    }
    if result.get("content").is_none() && result.get("structuredContent").is_none() {
        found.all(result, "", Base::Result);
    }
    found.mined
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
    let mut found = Miner::default();
    found.all(arguments, "", Base::Argument);
    found.mined
}

/// The value that `source` names in an exchange, if it is there.
pub fn resolve(source: &Source, exchange: &Exchange, arguments: Option<&Value>) -> Option<Value> {
    let block_text =
        |block: usize| exchange.result()?.get("content")?.get(block)?.get("text")?.as_str();
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

/// Which document a pointer is into.
#[derive(Clone, Copy, Default)]
enum Base {
    #[default]
    Result,
    Argument,
    Text(usize),
}

#[derive(Default)]
struct Miner {
    mined: Vec<Mined>,
    /// The chain of objects around the value at hand, innermost last.
    inside: Vec<u32>,
    objects: u32,
    /// The document at hand, the JSON Pointer of the value at hand in it, and its masked place.
    base: Base,
    pointer: String,
    path: String,
}

impl Miner {
    fn push(&mut self, value: Value, source: Source, path: &str) {
        if self.mined.len() < CAP {
            // Room for the number that stands for the whole exchange.
            let mut objects = Vec::with_capacity(self.inside.len() + 1);
            objects.extend(self.inside.iter().rev());
            self.mined.push(Mined { value, source, path: path.to_owned(), objects });
        }
    }

    /// Takes the value at hand.
    fn push_here(&mut self, value: Value) {
        if self.mined.len() < CAP {
            let pointer = self.pointer.clone();
            let source = match self.base {
                Base::Result => Source::Result { pointer },
                Base::Argument => Source::Argument { pointer },
                Base::Text(block) => Source::TextJson { block, pointer },
            };
            let path = std::mem::take(&mut self.path);
            self.push(value, source, &path);
            self.path = path;
        }
    }

    /// Takes every value of a document.
    fn all(&mut self, document: &Value, pointer: &str, base: Base) {
        self.base = base;
        self.path.clear();
        self.pointer.clear();
        self.pointer.push_str(pointer);
        self.walk(document);
    }

    /// Goes on with the member or item that `token` names, at the masked place `part`.
    fn below(&mut self, token: &str, part: &str, then: impl FnOnce(&mut Self)) {
        let length = self.path.len();
        if length > 0 {
            self.path.push('/');
        }
        self.path.push_str(part);
        let pointer = crate::pointer::push(&mut self.pointer, token);
        then(self);
        self.pointer.truncate(pointer);
        self.path.truncate(length);
    }

    fn text(&mut self, block: usize, body: &str, document: Option<&Value>, prose: bool) {
        if let Some(document) = document {
            self.all(document, "", Base::Text(block));
            return;
        }
        if !prose {
            return;
        }
        self.objects += 1;
        self.inside.push(self.objects);
        for token in tokens(body) {
            let path = token.kind.strip_prefix("labelled:").unwrap_or(&token.kind).to_owned();
            let value = numeric(&token.kind, &token.text)
                .unwrap_or_else(|| Value::from(token.text.as_str()));
            self.push(
                value,
                Source::TextToken { block, token: token.kind, index: token.index },
                &path,
            );
        }
        self.inside.pop();
    }

    fn walk(&mut self, value: &Value) {
        if self.mined.len() >= CAP || self.inside.len() > 12 {
            return;
        }
        match value {
            Value::Object(members) => {
                self.objects += 1;
                self.inside.push(self.objects);
                let by_id = is_map_by_id(members);
                for (key, member) in members {
                    // What stands under the name of a file is about the file.
                    let by_id = by_id || (!member.is_string() && is_file_name(key));
                    if by_id {
                        self.below(key, "*key", |miner| miner.push_here(Value::from(key.as_str())));
                    }
                    let part = if by_id { "*" } else { key };
                    self.below(key, part, |miner| miner.walk(member));
                }
                self.inside.pop();
            }
            Value::Array(items) => {
                for (index, item) in items.iter().enumerate().take(24) {
                    self.below(&index.to_string(), "*", |miner| miner.walk(item));
                }
            }
            Value::String(text) if text.is_empty() || text.len() > LONGEST => {}
            Value::Null => {}
            leaf => self.push_here(leaf.clone()),
        }
    }
}

/// A number's text as a number; kinds of tokens other than plain numbers stay text.
fn numeric(kind: &str, text: &str) -> Option<Value> {
    (kind == "number").then(|| text.parse::<i64>().ok().map(Value::from)).flatten()
}

/// Whether a key is the name of a file rather than of a member: `notes/a.md`.
fn is_file_name(key: &str) -> bool {
    let ending = key.rsplit_once('.').filter(|(stem, _)| !stem.is_empty());
    ending.is_some_and(|(_, ending)| {
        (1..=6).contains(&ending.len())
            && ending.bytes().all(|b| b.is_ascii_alphanumeric())
            && ending.bytes().any(|b| b.is_ascii_alphabetic())
    })
}

/// Objects whose keys are ids: two or more members, all objects, all keys with a digit.
fn is_map_by_id(members: &serde_json::Map<String, Value>) -> bool {
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
