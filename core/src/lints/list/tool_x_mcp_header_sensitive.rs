//! `tool_x_mcp_header_sensitive`.

use super::tool_schema::input_schemas;
use crate::lints::meta::lint;
use crate::lints::{Lint, ListContext, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
#[cfg(test)]
use crate::protocol::Revision;
use crate::schema::key_tokens;
use serde_json::Value;
#[cfg(test)]
use serde_json::json;

lint! {
    /// A parameter that looks secret is mirrored into an HTTP header.
    ///
    /// Headers are seen and logged by proxies on the way. Passwords, keys and tokens should stay in the body.
    ToolXMcpHeaderSensitive(List, Warning) {}
    spec: "server/tools#x-mcp-header", fix: "Take `x-mcp-header` off the parameter.", since: V2026_07_28
}

const SECRETS: [&[&str]; 9] = [
    &["password"],
    &["passwd"],
    &["passphrase"],
    &["secret"],
    &["credential"],
    &["apikey"],
    &["api", "key"],
    &["private", "key"],
    &["auth", "token"],
];

impl Lint for ToolXMcpHeaderSensitive {
    fn list(&self, context: &ListContext<'_>, problems: &mut Vec<Problem>) {
        for schema in input_schemas(context.catalog) {
            for inner in schema.inner() {
                let Some(header) = inner.value.get("x-mcp-header").and_then(Value::as_str) else {
                    continue;
                };
                let parameter = inner.pointer.rsplit('/').next().unwrap_or_default();
                if [parameter, header].into_iter().any(looks_secret) {
                    let message = format!(
                        "the parameter {parameter:?} looks secret and is sent in the header `Mcp-Param-{header}`"
                    );
                    problems.push(schema.problem("secret header", &inner.pointer, message));
                }
            }
        }
    }
}

fn looks_secret(name: &str) -> bool {
    let words = key_tokens(name);
    let has = |word: &str| words.iter().any(|own| own == word);
    name.eq_ignore_ascii_case("token")
        || SECRETS.iter().any(|secret| secret.iter().all(|word| has(word)))
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    let scene = |name: &str, header: &str| {
        Scene::at(Revision::V2026_07_28).input_schema(json!({"type": "object", "properties": {name: {"type": "string", "x-mcp-header": header}}}))
    };
    Examples::of(&ENTRY)
        .flags(
            "inputSchema at /properties/apiKey: the parameter \"apiKey\" looks secret",
            scene("apiKey", "Key"),
        )
        .flags("in the header `Mcp-Param-Password`", scene("p", "Password"))
        .passes(scene("region", "Region"))
        .passes(scene("page_token", "Page-Token"))
}
