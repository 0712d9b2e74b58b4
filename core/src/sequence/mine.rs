//! Mining: which values an exchange brought, where they stand, and which belong together.

use super::tokens::{token, tokens};
use crate::case::Source;
use crate::exchange::Exchange;
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
        found.walk(structured, "/structuredContent", &mut String::new(), &Base::Result);
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
            found.text(block, body, text);
        }
    }
    if result.get("content").is_none() && result.get("structuredContent").is_none() {
        found.walk(result, "", &mut String::new(), &Base::Result);
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
    found.walk(arguments, "", &mut String::new(), &Base::Argument);
    found.mined
}

/// The value that `source` names in an exchange, if it is there.
pub fn resolve(source: &Source, exchange: &Exchange, arguments: Option<&Value>) -> Option<Value> {
    let block_text =
        |block: usize| exchange.result()?.pointer(&format!("/content/{block}/text"))?.as_str();
    match source {
        Source::Result { pointer } => exchange.result()?.pointer(pointer).cloned(),
        Source::TextJson { block, pointer } => {
            let value: Value = serde_json::from_str(block_text(*block)?).ok()?;
            value.pointer(pointer).cloned()
        }
        Source::TextToken { block, token: kind, index } => {
            let text = token(block_text(*block)?, kind, *index)?;
            Some(numeric(kind, &text).unwrap_or(Value::String(text)))
        }
        Source::Argument { pointer } => arguments?.pointer(pointer).cloned(),
    }
}

/// Which document a pointer is into.
enum Base {
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
}

impl Miner {
    fn push(&mut self, value: Value, source: Source, path: &str) {
        if self.mined.len() < CAP {
            let objects = self.inside.iter().rev().copied().collect();
            self.mined.push(Mined { value, source, path: path.to_owned(), objects });
        }
    }

    fn text(&mut self, block: usize, body: &str, prose: bool) {
        if body.trim_start().starts_with(['{', '['])
            && let Ok(value) = serde_json::from_str::<Value>(body)
        {
            self.walk(&value, "", &mut String::new(), &Base::Text(block));
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

    fn walk(&mut self, value: &Value, pointer: &str, path: &mut String, base: &Base) {
        if self.mined.len() >= CAP || self.inside.len() > 12 {
            return;
        }
        match value {
            Value::Object(members) => {
                self.objects += 1;
                self.inside.push(self.objects);
                let by_id = is_map_by_id(members);
                for (key, member) in members {
                    let below = crate::pointer::join(pointer, key);
                    if by_id {
                        self.push(
                            Value::from(key.as_str()),
                            source(base, &below),
                            &joined(path, "*key"),
                        );
                    }
                    let length = path.len();
                    *path = joined(path, if by_id { "*" } else { key });
                    self.walk(member, &below, path, base);
                    path.truncate(length);
                }
                self.inside.pop();
            }
            Value::Array(items) => {
                let length = path.len();
                *path = joined(path, "*");
                for (index, item) in items.iter().enumerate().take(24) {
                    self.walk(item, &format!("{pointer}/{index}"), path, base);
                }
                path.truncate(length);
            }
            Value::String(text) if text.is_empty() || text.len() > LONGEST => {}
            Value::Null => {}
            leaf => self.push(leaf.clone(), source(base, pointer), path),
        }
    }
}

fn source(base: &Base, pointer: &str) -> Source {
    let pointer = pointer.to_owned();
    match base {
        Base::Result => Source::Result { pointer },
        Base::Argument => Source::Argument { pointer },
        Base::Text(block) => Source::TextJson { block: *block, pointer },
    }
}

fn joined(path: &str, next: &str) -> String {
    if path.is_empty() { next.to_owned() } else { format!("{path}/{next}") }
}

/// A number's text as a number; kinds of tokens other than plain numbers stay text.
fn numeric(kind: &str, text: &str) -> Option<Value> {
    (kind == "number").then(|| text.parse::<i64>().ok().map(Value::from)).flatten()
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
}
