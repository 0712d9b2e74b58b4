//! Masking: an answer without what differs from one time to the next by design: times, durations, process ids.

use crate::exchange::{Exchange, Reply, json_text};
use regex::Regex;
use serde_json::Value;
use std::sync::LazyLock;

static TIMES: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?x)
        \d{4}-\d{2}-\d{2}[T\ ]\d{2}:\d{2}(:\d{2}([.,]\d+)?)?\ ?(Z|[+-]\d{2}:?\d{2})?   # date and time
        | \b\d{1,2}:\d{2}:\d{2}([.,]\d+)?(\ ?[AaPp][Mm])?\b                             # time of day
        | \b\d+(\.\d+)?\ ?(ms|µs|us|ns|s|sec|secs|seconds?|minutes?|milliseconds?)\b    # durations
        | \b1[6-9]\d{8}(\.\d+)?\b | \b1[6-9]\d{11}\b                                    # epoch seconds and milliseconds
        ",
    )
    .expect("a fixed expression")
});

/// Member names whose values are times, or counters of accesses.
const VOLATILE: &[&str] = &[
    "timestamp",
    "time",
    "elapsed",
    "duration",
    "uptime",
    "latency",
    "accessed",
    "ttl",
    "expires",
    "age",
    "pid",
    "now",
];

/// The reply as text with volatile values masked; equal for answers that say the same.
pub fn masked(exchange: &Exchange) -> String {
    match &exchange.reply {
        Reply::Result(result) => {
            let mut result = result.clone();
            if let Some(members) = result.as_object_mut() {
                members.remove("_meta");
            }
            mask_value(&mut result);
            // The order of members says nothing.
            result.sort_all_objects();
            result.to_string()
        }
        Reply::Error(error) => format!("error {:?} {}", error.code, mask_text(&error.message)),
        Reply::Malformed(_) => "malformed".to_owned(),
        Reply::Silence { .. } => "silence".to_owned(),
        Reply::Closed(_) => "closed".to_owned(),
    }
}

/// An answer with times and ids masked and lists sorted: equal for states that differ only in what was made up on the way.
pub fn canonical(exchange: &Exchange) -> String {
    let Some(result) = exchange.result() else {
        return masked(exchange);
    };
    let parts: Vec<Value> = if let Some(structured) = result.get("structuredContent") {
        vec![structured.clone()]
    } else {
        let blocks = result.get("content").and_then(Value::as_array).into_iter().flatten();
        blocks.filter_map(|block| block.get("text").cloned()).map(parsed).collect()
    };
    let parts: Vec<Value> = parts.into_iter().map(sorted).collect();
    Value::Array(parts).to_string()
}

/// Text that is JSON, as JSON.
fn parsed(text: Value) -> Value {
    text.as_str().and_then(json_text).unwrap_or(text)
}

fn sorted(mut value: Value) -> Value {
    mask_value(&mut value);
    mask_ids(&mut value);
    sort_lists(&mut value);
    value
}

/// Members whose values a server makes up.
fn mask_ids(value: &mut Value) {
    match value {
        Value::Object(members) => {
            for (key, member) in members.iter_mut() {
                let words = crate::schema::key_tokens(key);
                let made_up = words.last().is_some_and(|last| {
                    matches!(last.as_str(), "id" | "uuid" | "guid" | "etag" | "hash")
                });
                if made_up && (member.is_string() || member.is_number()) {
                    *member = Value::from("#");
                } else {
                    mask_ids(member);
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(mask_ids),
        Value::String(text) => {
            for token in crate::sequence::tokens::tokens(text) {
                if matches!(token.kind.as_str(), "uuid" | "hex" | "word_number") {
                    *text = text.replace(&token.text, "#");
                }
            }
        }
        _ => {}
    }
}

fn sort_lists(value: &mut Value) {
    match value {
        Value::Array(items) => {
            items.iter_mut().for_each(sort_lists);
            items.sort_by_cached_key(Value::to_string);
        }
        Value::Object(members) => members.values_mut().for_each(sort_lists),
        // Lines of prose are a list, too.
        Value::String(text) if text.contains('\n') => {
            let mut lines: Vec<&str> = text.lines().collect();
            lines.sort_unstable();
            *text = lines.join("\n");
        }
        _ => {}
    }
}

/// The scalars of a value, in order.
pub fn values(value: &Value) -> Vec<Value> {
    match value {
        Value::Object(members) => members.values().flat_map(values).collect(),
        Value::Array(items) => items.iter().flat_map(values).collect(),
        scalar => vec![scalar.clone()],
    }
}

/// Masks the volatile values in a JSON value; text that is JSON is masked as JSON.
pub fn mask_value(value: &mut Value) {
    match value {
        Value::Object(members) => {
            for (key, member) in members.iter_mut() {
                let scalar = !member.is_object() && !member.is_array();
                if scalar && is_volatile(key) {
                    *member = Value::from("…");
                } else {
                    mask_value(member);
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(mask_value),
        Value::String(text) => *text = mask_string(text),
        _ => {}
    }
}

fn mask_string(text: &str) -> String {
    if let Some(mut inner) = json_text(text) {
        mask_value(&mut inner);
        inner.sort_all_objects();
        return inner.to_string();
    }
    mask_text(text)
}

/// Masks dates, times of day, durations and epoch times in a text.
pub fn mask_text(text: &str) -> String {
    TIMES.replace_all(text, "…").into_owned()
}

fn is_volatile(key: &str) -> bool {
    let words = crate::schema::key_tokens(key);
    words.last().is_some_and(|last| last == "at") && words.len() > 1
        || words.iter().any(|word| VOLATILE.contains(&word.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_masked_and_data_is_not() {
        assert_eq!(mask_text("at 2026-01-02T03:04:05Z done"), "at … done");
        assert_eq!(mask_text("took 12.5 ms"), "took …");
        assert_eq!(mask_text("3 items"), "3 items");
        assert!(is_volatile("updatedAt") && is_volatile("last_accessed") && !is_volatile("format"));
    }
}
