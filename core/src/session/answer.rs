//! What the tester answers when a server asks something of it.

use super::SessionOptions;
use crate::message::Frame;
use serde_json::{Map, Value, json};

/// The member (`result` or `error`) and its content that answer a server's request.
pub(super) fn to_request(options: &SessionOptions, request: &Frame) -> (&'static str, Value) {
    let params = request.value.as_ref().and_then(|v| v.get("params")).unwrap_or(&Value::Null);
    let method = request.method().unwrap_or_default();
    if method == "ping" {
        return ("result", json!({}));
    }
    match to_question(options, method, params) {
        Some(result) => ("result", result),
        None => (
            "error",
            json!({"code": -32601, "message": format!("tooltest does not answer {method}")}),
        ),
    }
}

/// The answer to `roots/list`, `sampling/createMessage` or `elicitation/create`, whether it comes as a request or as an
/// input request; `None` for anything else.
pub(super) fn to_question(options: &SessionOptions, method: &str, params: &Value) -> Option<Value> {
    match method {
        "roots/list" => {
            let roots: Vec<Value> = options.roots.iter().map(|uri| json!({"uri": uri})).collect();
            Some(json!({"roots": roots}))
        }
        "sampling/createMessage" => Some(json!({
            "role": "assistant",
            "content": {"type": "text", "text": "This is a canned answer of the tester."},
            "model": "tooltest-canned",
            "stopReason": "endTurn",
        })),
        "elicitation/create" if params.get("mode").is_some_and(|mode| mode == "url") => {
            Some(json!({"action": "decline"}))
        }
        "elicitation/create" => {
            let schema = params.get("requestedSchema").unwrap_or(&Value::Null);
            Some(json!({"action": "accept", "content": (options.elicit)(schema)}))
        }
        _ => None,
    }
}

/// A value for each property of an elicitation's flat schema: its default, else the simplest one that its keywords allow.
pub(super) fn simplest_content(schema: &Value) -> Value {
    let properties = schema.get("properties").and_then(Value::as_object);
    let content = properties.into_iter().flatten();
    Value::Object(
        content.map(|(name, schema)| (name.clone(), simplest(schema))).collect::<Map<_, _>>(),
    )
}

fn simplest(schema: &Value) -> Value {
    if let Some(given) = schema.get("default").or_else(|| schema.get("const")) {
        return given.clone();
    }
    if let Some(choice) = first_choice(schema) {
        return choice;
    }
    match schema.get("type").and_then(Value::as_str) {
        Some("boolean") => json!(true),
        Some("integer" | "number") => simplest_number(schema),
        Some("array") => {
            let count = schema.get("minItems").and_then(Value::as_u64).unwrap_or(0);
            let items = schema.get("items").unwrap_or(&Value::Null);
            json!(
                choices(items)
                    .into_iter()
                    .take(usize::try_from(count).unwrap_or(0))
                    .collect::<Vec<_>>()
            )
        }
        _ => Value::String(simplest_text(schema)),
    }
}

fn choices(schema: &Value) -> Vec<Value> {
    if let Some(values) = schema.get("enum").and_then(Value::as_array) {
        return values.clone();
    }
    let titled = schema.get("oneOf").or_else(|| schema.get("anyOf")).and_then(Value::as_array);
    titled.into_iter().flatten().filter_map(|option| option.get("const").cloned()).collect()
}

fn first_choice(schema: &Value) -> Option<Value> {
    choices(schema).into_iter().next()
}

fn simplest_number(schema: &Value) -> Value {
    let zero = json!(0);
    match (schema.get("minimum"), schema.get("maximum")) {
        (Some(minimum), _) if minimum.as_f64() > Some(0.0) => minimum.clone(),
        (_, Some(maximum)) if maximum.as_f64() < Some(0.0) => maximum.clone(),
        _ => zero,
    }
}

fn simplest_text(schema: &Value) -> String {
    let text = match schema.get("format").and_then(Value::as_str) {
        Some("email") => "tester@example.com",
        Some("uri") => "https://example.com/",
        Some("date") => "2025-01-01",
        Some("date-time") => "2025-01-01T00:00:00Z",
        _ => "test",
    };
    let length =
        |name| schema.get(name).and_then(Value::as_u64).and_then(|n| usize::try_from(n).ok());
    let longest = length("maxLength").unwrap_or(usize::MAX);
    let shortest = length("minLength").unwrap_or(0).min(64 * 1024);
    let mut text: String = text.chars().take(longest).collect();
    while text.len() < shortest {
        text.push('t');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_takes_defaults_choices_and_bounds() {
        let schema = json!({"type": "object", "properties": {
            "name": {"type": "string", "minLength": 6},
            "mail": {"type": "string", "format": "email"},
            "age": {"type": "integer", "minimum": 18},
            "debt": {"type": "number", "maximum": -1.5},
            "colour": {"type": "string", "oneOf": [{"const": "r", "title": "red"}]},
            "size": {"type": "string", "enum": ["s", "m"], "default": "m"},
            "tags": {"type": "array", "minItems": 1, "items": {"enum": ["x", "y"]}},
            "sure": {"type": "boolean"},
        }});
        let expected = json!({"name": "testtt", "mail": "tester@example.com", "age": 18, "debt": -1.5,
            "colour": "r", "size": "m", "tags": ["x"], "sure": true});
        assert_eq!(simplest_content(&schema), expected);
    }
}
