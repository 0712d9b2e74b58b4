//! The HTTP headers of 2026-07-28 that repeat parts of the body (basic/transports/streamable-http#standard-headers).

use crate::protocol::{Era, Revision};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value};

const PREFIX: &str = "=?base64?";
const SUFFIX: &str = "?=";

/// A tool's argument that is repeated in a header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParamHeader {
    /// JSON Pointer into the arguments.
    pub pointer: String,
    /// The header's name without `Mcp-Param-`.
    pub name: String,
}

impl ParamHeader {
    /// What a tool's `inputSchema` marks with `x-mcp-header`: properties, nested ones included, reached through `properties`
    /// alone. Marks that are no header names are left out, since no request could carry them.
    pub fn of_schema(input_schema: &Value) -> Vec<Self> {
        let mut found = Vec::new();
        collect(input_schema, "", &mut found);
        found
    }
}

fn collect(schema: &Value, pointer: &str, found: &mut Vec<ParamHeader>) {
    let properties = schema.get("properties").and_then(Value::as_object);
    for (name, property) in properties.into_iter().flatten() {
        let pointer = crate::pointer::join(pointer, name);
        if let Some(header) =
            property.get("x-mcp-header").and_then(Value::as_str).filter(|name| is_token(name))
        {
            found.push(ParamHeader { pointer: pointer.clone(), name: header.to_owned() });
        }
        collect(property, &pointer, found);
    }
}

fn is_token(text: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    !text.is_empty() && text.bytes().all(allowed)
}

/// The headers that go with a message, besides version and session.
pub(crate) fn standard(
    revision: Revision,
    method: &str,
    params: &Value,
    marked: &[ParamHeader],
) -> Vec<(String, String)> {
    if revision.era() != Era::Modern {
        return Vec::new();
    }
    let mut headers = vec![("Mcp-Method".to_owned(), encode_header_value(method))];
    let name = match method {
        "tools/call" | "prompts/get" => params.get("name"),
        "resources/read" => params.get("uri"),
        "tasks/get" | "tasks/update" | "tasks/cancel" => params.get("taskId"),
        _ => None,
    };
    if let Some(name) = name.and_then(Value::as_str) {
        headers.push(("Mcp-Name".to_owned(), encode_header_value(name)));
    }
    if method == "tools/call" {
        let empty = Value::Object(Map::new());
        let arguments = params.get("arguments").unwrap_or(&empty);
        headers.extend(marked.iter().filter_map(|mark| {
            let text = header_text(arguments.pointer(&mark.pointer)?)?;
            Some((format!("Mcp-Param-{}", mark.name), encode_header_value(&text)))
        }));
    }
    headers
}

/// An argument as text; `None` where no header is due (null, or not a simple value).
fn header_text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(flag) => Some(flag.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

/// A value as a header carries it: as it is where it is plain ASCII without white space at its ends, else in base64 between
/// `=?base64?` and `?=`; so is a value that looks like that form.
pub fn encode_header_value(value: &str) -> String {
    let plain = !value.is_empty()
        && value.bytes().all(|byte| (0x20..0x7f).contains(&byte))
        && value.trim() == value
        && !(value.starts_with(PREFIX) && value.ends_with(SUFFIX));
    if plain { value.to_owned() } else { format!("{PREFIX}{}{SUFFIX}", STANDARD.encode(value)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn values_that_cannot_travel_are_wrapped() {
        assert_eq!(encode_header_value("two words"), "two words");
        assert_eq!(encode_header_value(" padded "), "=?base64?IHBhZGRlZCA=?=");
        assert_eq!(encode_header_value("line1\nline2"), "=?base64?bGluZTEKbGluZTI=?=");
        assert_eq!(encode_header_value("Hello, 世界"), "=?base64?SGVsbG8sIOS4lueVjA==?=");
        assert_eq!(encode_header_value("=?base64?x?="), "=?base64?PT9iYXNlNjQ/eD89?=");
    }

    #[test]
    fn marked_arguments_are_repeated_where_they_have_a_value() {
        let schema = json!({"type": "object", "properties": {
            "region": {"type": "string", "x-mcp-header": "Region"},
            "deep": {"type": "object", "properties": {"n": {"type": "integer", "x-mcp-header": "N"}}},
            "off": {"type": "boolean", "x-mcp-header": "Off"},
            "bad": {"type": "string", "x-mcp-header": "not a token"},
            "list": {"type": "array", "items": {"properties": {"x": {"x-mcp-header": "Item"}}}},
        }});
        let marked = ParamHeader::of_schema(&schema);
        let params =
            json!({"name": "t", "arguments": {"region": "eu", "deep": {"n": 4}, "off": null}});
        let headers = standard(Revision::V2026_07_28, "tools/call", &params, &marked);
        let shown: Vec<_> = headers.iter().map(|(name, value)| format!("{name}={value}")).collect();
        assert_eq!(
            shown,
            ["Mcp-Method=tools/call", "Mcp-Name=t", "Mcp-Param-Region=eu", "Mcp-Param-N=4"]
        );
        assert_eq!(standard(Revision::V2025_11_25, "tools/call", &params, &marked), []);
    }
}
