//! `tool_x_mcp_header_valid`.

use super::item::{kind, quoted, shown};
use super::tool_schema::{Inner, input_schemas};
use crate::lints::meta::lint;
use crate::lints::{Lint, ListContext, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
#[cfg(test)]
use crate::protocol::Revision;
use serde_json::Value;
#[cfg(test)]
use serde_json::json;
use std::collections::HashSet;

lint! {
    /// An `x-mcp-header` annotation breaks its rules.
    ///
    /// Clients on Streamable HTTP must leave such a tool out of the list, so it silently disappears.
    ToolXMcpHeaderValid(List, Error) {}
    spec: "basic/transports/streamable-http#custom-headers-from-tool-parameters", fix: "Use a header name of letters, digits and hyphens, unique in the tool whatever the case, on a parameter of type string, integer or boolean that is reached through `properties` alone.", since: V2026_07_28
}

impl Lint for ToolXMcpHeaderValid {
    fn list(&self, context: &ListContext<'_>, problems: &mut Vec<Problem>) {
        for schema in input_schemas(context.catalog) {
            let mut names = HashSet::new();
            for inner in schema.inner() {
                let Some(header) = inner.value.get("x-mcp-header") else {
                    continue;
                };
                let wrong = name_fault(header).or_else(|| place_fault(&inner)).or_else(|| {
                    let name = header.as_str().unwrap_or_default();
                    let is_new = names.insert(name.to_ascii_lowercase());
                    (!is_new)
                        .then(|| format!("another parameter has the header {}, too", quoted(name)))
                });
                if let Some(wrong) = wrong {
                    problems.push(schema.problem("x-mcp-header", &inner.pointer, wrong));
                }
            }
        }
    }
}

fn name_fault(header: &Value) -> Option<String> {
    let Value::String(name) = header else {
        return Some(format!(
            "`x-mcp-header` is {} ({}), not a string",
            kind(header),
            shown(header)
        ));
    };
    if name.is_empty() {
        return Some("`x-mcp-header` is empty".to_owned());
    }
    let odd = name.chars().find(|c| !is_token_character(*c))?;
    Some(format!("the header name {} has the character {odd:?} in it", quoted(name)))
}

/// `tchar` of RFC 9110, 5.6.2.
fn is_token_character(c: char) -> bool {
    c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(c)
}

fn place_fault(inner: &Inner<'_>) -> Option<String> {
    let tokens: Vec<&str> = inner.pointer.split('/').skip(1).collect();
    let is_static = !tokens.is_empty()
        && tokens.len().is_multiple_of(2)
        && tokens.iter().step_by(2).all(|token| *token == "properties");
    if !is_static {
        return Some(
            "`x-mcp-header` is on a schema that is not reached through `properties` alone"
                .to_owned(),
        );
    }
    match inner.value.get("type") {
        Some(Value::String(name)) if !matches!(name.as_str(), "string" | "integer" | "boolean") => {
            Some(format!(
                "`x-mcp-header` is on a parameter of type {name:?}; it must be string, integer or boolean"
            ))
        }
        _ => None,
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    let scene = |properties: Value| {
        Scene::at(Revision::V2026_07_28)
            .input_schema(json!({"type": "object", "properties": properties}))
    };
    let a = |header: Value| scene(json!({"a": {"type": "string", "x-mcp-header": header}}));
    Examples::of(&ENTRY)
        .flags("inputSchema at /properties/a: `x-mcp-header` is empty", a(json!("")))
        .flags("has the character ' ' in it", a(json!("My Header")))
        .flags("is a boolean (true), not a string", a(json!(true)))
        .flags("of type \"number\"", scene(json!({"a": {"type": "number", "x-mcp-header": "A"}})))
        .flags("not reached through `properties` alone", scene(json!({"a": {"items": {"type": "string", "x-mcp-header": "A"}}})))
        .flags("another parameter has the header \"region\"", scene(json!({"a": {"type": "string", "x-mcp-header": "Region"}, "b": {"type": "string", "x-mcp-header": "region"}})))
        .passes(a(json!("Region")))
        .passes(scene(json!({"a": {"type": "object", "properties": {"b": {"type": "integer", "x-mcp-header": "B"}}}})))
}
