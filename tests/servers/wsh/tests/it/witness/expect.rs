//! Paths into results, and what is expected there.

use regex::Regex;
use serde_json::{Map, Value};

/// The part of a value at `a.b.0.c`, or the first match of the regular expression behind a `~`.
pub(super) fn look_up(value: &Value, path: &str) -> Option<Value> {
    let (path, pattern) =
        path.split_once('~').map_or((path, None), |(path, pattern)| (path, Some(pattern)));
    let pointer = format!("/{}", path.replace('.', "/"));
    let found = value.pointer(&pointer)?;
    match pattern {
        None => Some(found.clone()),
        Some(pattern) => {
            let text = found.as_str().map_or_else(|| found.to_string(), str::to_owned);
            Some(Value::from(Regex::new(pattern).unwrap().find(&text)?.as_str()))
        }
    }
}

/// Replaces every `$N.path` by that part of result N. A reference to nothing equals nothing.
pub(super) fn resolve(value: &Value, results: &[Value]) -> Value {
    match value {
        Value::Object(fields) => fields
            .iter()
            .map(|(name, item)| (name.clone(), resolve(item, results)))
            .collect::<Map<_, _>>()
            .into(),
        Value::Array(items) => items.iter().map(|item| resolve(item, results)).collect(),
        Value::String(text) => reference(text, results).unwrap_or_else(|| value.clone()),
        _ => value.clone(),
    }
}

fn reference(text: &str, results: &[Value]) -> Option<Value> {
    let (number, path) = text.strip_prefix('$')?.split_once('.')?;
    let result = results.get(number.parse::<usize>().ok()?);
    Some(
        result
            .and_then(|result| look_up(result, path))
            .unwrap_or_else(|| format!("<no {text}>").into()),
    )
}

/// Whether a value is as expected: equal, or as an operator such as `{"contains": ...}` says.
pub(super) fn holds(seen: Option<&Value>, wanted: &Value) -> bool {
    let operator = wanted
        .as_object()
        .filter(|fields| fields.len() == 1)
        .and_then(|fields| fields.iter().next());
    let text = seen.and_then(Value::as_str);
    match operator.map(|(name, operand)| (name.as_str(), operand)) {
        Some(("absent", operand)) => operand == &Value::Bool(seen.is_none()),
        Some(("not", operand)) => seen.is_some_and(|seen| seen != operand),
        Some(("matches", operand)) => {
            text.is_some_and(|text| Regex::new(operand.as_str().unwrap()).unwrap().is_match(text))
        }
        Some(("contains", operand)) => {
            text.is_some_and(|text| text.contains(operand.as_str().unwrap()))
        }
        Some(("length", operand)) => length(seen) == operand.as_u64(),
        _ => seen == Some(wanted),
    }
}

fn length(seen: Option<&Value>) -> Option<u64> {
    let length = match seen? {
        Value::Array(items) => items.len(),
        Value::Object(fields) => fields.len(),
        Value::String(text) => text.chars().count(),
        _ => return None,
    };
    u64::try_from(length).ok()
}

/// Describes a JSON-RPC answer (none: there was none) in the terms that expectations use.
pub(super) fn view(answer: Option<&Value>) -> Map<String, Value> {
    let mut seen = Map::new();
    let mut put = |name: &str, value: Value| seen.insert(name.to_owned(), value);
    let Some(answer) = answer else {
        put("outcome", "none".into());
        return seen;
    };
    if let Some(error) = answer.get("error") {
        put("outcome", "rpc_error".into());
        put("error", error.clone());
        return seen;
    }
    let result = &answer["result"];
    put("outcome", if result["isError"] == true { "tool_error" } else { "ok" }.into());
    put("result", result.clone());
    if let Some(structured) = result.get("structuredContent") {
        put("structured", structured.clone());
    }
    let blocks = result["content"].as_array().into_iter().flatten();
    let text: Vec<&str> = blocks.filter_map(|block| block["text"].as_str()).collect();
    if let Ok(json) = serde_json::from_str(&text.join("\n")) {
        put("json", json);
    }
    put("text", text.join("\n").into());
    seen
}
