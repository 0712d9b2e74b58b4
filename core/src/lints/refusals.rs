//! Messages of validators: whether a refusal is one that a schema could have foretold.

use crate::catalog::Tool;
use regex::Regex;
use serde_json::Value;
use std::sync::LazyLock;

/// A refusal that names a parameter and a reason which belongs into a schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Reason {
    /// What is said to be wrong: `required`, `type`, `choice`, `bound`, `format` or `extra`.
    pub(super) kind: &'static str,
    /// The parameter, as the schema names it; empty where the message names none.
    pub(super) parameter: String,
}

/// The reason of a refusal, if its text is one that a validator prints (pydantic, zod, ajv, Python's jsonschema, serde, the
/// Go SDK) and it speaks of a parameter of `tool`. A text that only looks alike, such as the report of a tool that itself
/// validates documents, has none.
pub(super) fn static_reason(text: &str, tool: &Tool) -> Option<Reason> {
    let parameters =
        Parameters(tool.raw.pointer("/inputSchema/properties").unwrap_or(&Value::Null));
    pydantic(text, &parameters)
        .or_else(|| zod(text, &parameters))
        .or_else(|| zod_pretty(text, &parameters))
        .or_else(|| json_schema(text, &parameters))
        .or_else(|| ajv(text, &parameters))
        .or_else(|| serde(text, &parameters))
        .or_else(|| plain(text, &parameters))
}

/// The members of `properties` of an input schema.
struct Parameters<'a>(&'a Value);

impl Parameters<'_> {
    fn has(&self, name: &str) -> bool {
        self.0.get(name).is_some()
    }

    /// Whether the schema names the value as a choice or the default of the parameter.
    fn offers(&self, name: &str, value: &str) -> bool {
        let Some(schema) = self.0.get(name) else {
            return false;
        };
        let is = |other: &Value| other.as_str() == Some(value);
        schema.get("default").is_some_and(is)
            || schema.get("enum").and_then(Value::as_array).is_some_and(|e| e.iter().any(is))
    }

    fn reason(&self, kind: &'static str, parameter: &str) -> Option<Reason> {
        self.has(parameter).then(|| Reason { kind, parameter: parameter.to_owned() })
    }
}

macro_rules! pattern {
    ($name:ident, $pattern:literal) => {
        static $name: LazyLock<Regex> =
            LazyLock::new(|| Regex::new($pattern).expect("a test compiles it"));
    };
}

pattern!(PYDANTIC, r"(?m)^([A-Za-z_]\w*)[\w.\[\]]*\n  [^\n]*\[type=([a-z_]+), input_value=");
pattern!(ZOD_PRETTY, r"Invalid (?:input|option)[^\n]*\n\s*→ at ([A-Za-z_]\w*)");
pattern!(
    JSON_SCHEMA,
    r"^(?:Error: |MCP error -?\d+: )?(?:Input validation error: |Invalid arguments[^:\n]*: )(.+)"
);
pattern!(REQUIRED, r"'([^']+)' is a required property");
pattern!(
    AJV,
    r"(?:^|[\s'\x22:])(?:data|arguments|params|input|args|instance|body)?[/.]([A-Za-z_]\w*)[\w/.\[\]]*'?\x22? (must (?:be|match|have|NOT) \S+(?: \S+)?)"
);
pattern!(AJV_REQUIRED, r"must have required property '([^']+)'");
pattern!(SERDE_MISSING, r"missing field `([^`]+)`");
pattern!(
    SERDE_PREFIX,
    r"failed to deserialize parameters: (missing field|invalid type|unknown variant|unknown field|\S)"
);
pattern!(GO_MISSING, r#"missing properties: \["([^"]+)""#);

pattern!(
    LABELLED,
    r"(?:Input validation error|[Ii]nvalid arguments?)[^:\n]*: \W?([A-Za-z_]\w*)\W?: (Input should be |Invalid (?:input|option|enum value|type)\b|[Ee]xpected (?:one of|string|number|integer|boolean|array|object)\b|Required\b|Field required)"
);
pattern!(
    VALUE_FOR,
    r"(?i)invalid (?:value|option|choice) for \W?(?:parameter |argument )?\W?([A-Za-z_]\w*)\W?: (?:expected|must be|should be|allowed|choose)"
);

pattern!(
    NOT_SUPPORTED,
    r"(?i)\b([a-z_]\w*):? [\x22'`]([^\x22'`]+)[\x22'`] is (?:not supported|unsupported|not allowed|not valid|invalid)(?:[.,;!]|$)"
);

fn pydantic(text: &str, parameters: &Parameters<'_>) -> Option<Reason> {
    if !text.contains("validation error") {
        return None;
    }
    PYDANTIC.captures_iter(text).find_map(|found| {
        let kind = match &found[2] {
            "missing" | "missing_argument" => "required",
            "literal_error" | "enum" => "choice",
            "extra_forbidden" | "unexpected_keyword_argument" => "extra",
            "string_pattern_mismatch" => "format",
            kind if kind.ends_with("_type") || kind.ends_with("_parsing") => "type",
            kind if kind.starts_with("greater_than")
                || kind.starts_with("less_than")
                || kind.ends_with("too_short")
                || kind.ends_with("too_long") =>
            {
                "bound"
            }
            // Written by the tool's author: a rule of its own, which no schema has.
            _ => return None,
        };
        parameters.reason(kind, &found[1])
    })
}

/// The list of issues that zod prints as JSON.
fn zod(text: &str, parameters: &Parameters<'_>) -> Option<Reason> {
    let start = text.find("[\n").or_else(|| text.find("[{")).or_else(|| text.find("[ {"))?;
    let mut documents = serde_json::Deserializer::from_str(&text[start..]).into_iter::<Value>();
    let Some(Ok(Value::Array(issues))) = documents.next() else {
        return None;
    };
    issues.iter().find_map(|issue| {
        let kind = match issue.get("code")?.as_str()? {
            "invalid_type" if issue.get("received").is_some_and(|r| r == "undefined") => "required",
            "invalid_type" | "invalid_union" => "type",
            "invalid_enum_value" | "invalid_literal" | "invalid_value" => "choice",
            "too_small" | "too_big" | "not_multiple_of" => "bound",
            "invalid_string" | "invalid_format" | "invalid_date" => "format",
            _ => return None,
        };
        parameters.reason(kind, issue.get("path")?.get(0)?.as_str()?)
    })
}

fn zod_pretty(text: &str, parameters: &Parameters<'_>) -> Option<Reason> {
    let found = ZOD_PRETTY.captures(text)?;
    parameters.reason("type", &found[1])
}

/// Python's jsonschema, behind the words with which SDKs begin such a refusal.
fn json_schema(text: &str, parameters: &Parameters<'_>) -> Option<Reason> {
    let found = JSON_SCHEMA.captures(text)?;
    let message = found.get(1)?.as_str();
    if let Some(required) = REQUIRED.captures(message) {
        return parameters.reason("required", &required[1]);
    }
    let kind = [
        ("is not of type '", "type"),
        ("is not one of [", "choice"),
        ("was expected", "choice"),
        ("does not match '", "format"),
        ("is less than the minimum", "bound"),
        ("is greater than the maximum", "bound"),
        ("is too short", "bound"),
        ("is too long", "bound"),
        ("Additional properties are not allowed", "extra"),
    ];
    let kind = kind.into_iter().find(|(words, _)| message.contains(words))?.1;
    Some(Reason { kind, parameter: String::new() })
}

fn ajv(text: &str, parameters: &Parameters<'_>) -> Option<Reason> {
    if let Some(found) = AJV_REQUIRED.captures(text) {
        return parameters.reason("required", &found[1]);
    }
    let found = AJV.captures(text)?;
    let kind = match found.get(2)?.as_str() {
        says if says.starts_with("must be equal") => "choice",
        says if says.starts_with("must match") => "format",
        says if says.starts_with("must be >") || says.starts_with("must be <") => "bound",
        says if says.starts_with("must NOT have") => "bound",
        says if ["string", "number", "integer", "boolean", "object", "array", "null"]
            .iter()
            .any(|name| {
                says == format!("must be {name}") || says.starts_with(&format!("must be {name},"))
            }) =>
        {
            "type"
        }
        _ => return None,
    };
    parameters.reason(kind, &found[1])
}

fn serde(text: &str, parameters: &Parameters<'_>) -> Option<Reason> {
    if let Some(found) = GO_MISSING.captures(text) {
        return parameters.reason("required", &found[1]);
    }
    // A position says that the message is about a text that the tool parsed.
    if text.contains(" at line ") {
        return None;
    }
    if let Some(found) = SERDE_MISSING.captures(text) {
        return parameters.reason("required", &found[1]);
    }
    let found = SERDE_PREFIX.captures(text)?;
    let kind = match &found[1] {
        "invalid type" => "type",
        "unknown variant" => "choice",
        "unknown field" => "extra",
        "missing field" => "required",
        _ => "bound",
    };
    Some(Reason { kind, parameter: String::new() })
}

/// `name: Input should be …` behind the words with which SDKs begin such a refusal, and `invalid value for name: expected …`.
fn plain(text: &str, parameters: &Parameters<'_>) -> Option<Reason> {
    if let Some(found) = LABELLED.captures(text) {
        let kind = match found[2].to_lowercase() {
            says if says.starts_with("required") || says.starts_with("field req") => "required",
            says if says.starts_with("invalid option") || says.starts_with("invalid enum") => {
                "choice"
            }
            _ => "type",
        };
        return parameters.reason(kind, &found[1]);
    }
    if let Some(found) = NOT_SUPPORTED.captures(text) {
        return parameters
            .offers(&found[1], &found[2])
            .then(|| Reason { kind: "choice", parameter: found[1].to_owned() });
    }
    let found = VALUE_FOR.captures(text)?;
    parameters.reason("choice", &found[1])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::Hints;
    use crate::schema::{CompiledSchema, Dialect};
    use serde_json::json;
    use std::sync::Arc;

    fn reason(text: &str) -> Option<(&'static str, String)> {
        let schema = json!({"type": "object", "properties": {"count": {}, "mode": {"enum": ["a", "b"]}, "text": {}}});
        let raw = json!({"name": "t", "inputSchema": schema});
        let tool = Tool {
            index: 0,
            name: "t".to_owned(),
            input: CompiledSchema::compile(&schema, Dialect::Draft202012).map(Arc::new),
            output: None,
            hints: Hints::of(&raw),
            intent: crate::sequence::intent::Intent::of_name("t"),
            switches: crate::sequence::intent::Switches::default(),
            raw,
        };
        static_reason(text, &tool).map(|reason| (reason.kind, reason.parameter))
    }

    #[test]
    fn validators_are_understood() {
        let zod = r#"MCP error -32602: Invalid arguments for tool t: [
  {"code": "invalid_type", "expected": "number", "received": "undefined", "path": ["count"], "message": "Required"}
]"#;
        let cases = [
            (
                "2 validation errors for call[t]\ncount\n  Input should be a valid integer [type=int_type, input_value='x', input_type=str]",
                "type",
                "count",
            ),
            (
                "1 validation error for tArguments\nmode\n  Input should be 'a' or 'b' [type=literal_error, input_value='c', input_type=str]",
                "choice",
                "mode",
            ),
            (zod, "required", "count"),
            ("✖ Invalid input: expected string, received undefined\n  → at text", "type", "text"),
            ("Input validation error: 'count' is a required property", "required", "count"),
            ("Input validation error: 'x' is not of type 'integer'", "type", ""),
            ("data/count must be integer", "type", "count"),
            ("Invalid arguments: count: Input should be a valid integer", "type", "count"),
            ("Error: invalid value for mode: expected one of 'a', 'b'", "choice", "mode"),
            (
                "Input validation error: mode: Invalid option: expected one of \"a\"|\"b\"",
                "choice",
                "mode",
            ),
            ("failed to deserialize parameters: 9 is not from 1 to 8", "bound", ""),
            ("/mode must be equal to one of the allowed values", "choice", "mode"),
            ("must have required property 'text'", "required", "text"),
            ("mode \"a\" is not supported, use b", "choice", "mode"),
            ("failed to deserialize parameters: missing field `count`", "required", "count"),
            ("failed to deserialize parameters: invalid type: null, expected u64", "type", ""),
            (
                "validating \"arguments\": validating root: required: missing properties: [\"text\"]",
                "required",
                "text",
            ),
        ];
        for (text, kind, parameter) in cases {
            assert_eq!(reason(text), Some((kind, parameter.to_owned())), "{text}");
        }
    }

    #[test]
    fn rules_of_the_tool_are_no_reasons() {
        for text in [
            "count must be larger than the number of pages",
            "1 validation error for call[t]\ncount\n  Value error, too many [type=value_error, input_value=9, input_type=int]",
            "document invalid: 'title' is a required property",
            "missing field `title` at line 1 column 9",
            "line 3: must have required property 'name'",
            "Unknown mode: c",
            "mode \"c\" is not supported",
            "mode \"a\" is not supported for this page",
            "mode: Invalid option",
            "[{\"code\": \"E1\", \"path\": [\"count\"]}]",
        ] {
            assert_eq!(reason(text), None, "{text}");
        }
    }
}
