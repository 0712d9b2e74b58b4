//! `json_schema_dialect_compat`.

use super::item::{kind, shown};
use super::tool_schema::schemas;
use crate::lints::meta::lint;
use crate::lints::{Lint, ListContext, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use crate::schema::Dialect;
use serde_json::Value;
#[cfg(test)]
use serde_json::json;

lint! {
    /// A tool's schema names a JSON Schema dialect that clients do not know.
    ///
    /// A client refuses a schema whose `$schema` it does not know, or reads it by other rules. Without `$schema` a schema counts as 2020-12, which everyone must know.
    JsonSchemaDialectCompat(List, Warning) {
        /// The dialects that are fine: `2020-12`, `2019-09`, `draft-07`, `draft-06`, `draft-04`, or the URI of another one.
        allow: Vec<String> = ["2020-12", "2019-09", "draft-07", "draft-06", "draft-04"].map(str::to_owned).to_vec(),
    }
    spec: "basic/index#schema-dialect", fix: "Leave `$schema` out and follow 2020-12, or name a published dialect by its URI."
}

impl Lint for JsonSchemaDialectCompat {
    fn list(&self, context: &ListContext<'_>, problems: &mut Vec<Problem>) {
        for schema in schemas(context.catalog) {
            let named = match schema.root.get("$schema") {
                None => "2020-12",
                Some(Value::String(uri)) => match Dialect::from_uri(uri) {
                    Some(dialect) => short_name(dialect),
                    None => uri.as_str(),
                },
                Some(other) => {
                    let message =
                        format!("`$schema` is {} ({}), not a URI", kind(other), shown(other));
                    problems.push(schema.problem("no URI", "", message));
                    continue;
                }
            };
            if self.allow.iter().all(|allowed| allowed != named) {
                let message = format!(
                    "`$schema` names the dialect {named:?}; allowed: {}",
                    self.allow.join(", ")
                );
                problems.push(schema.problem(&format!("dialect {named}"), "", message));
            }
        }
    }
}

const fn short_name(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Draft4 => "draft-04",
        Dialect::Draft6 => "draft-06",
        Dialect::Draft7 => "draft-07",
        Dialect::Draft201909 => "2019-09",
        Dialect::Draft202012 => "2020-12",
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    let scene = |uri: Value| Scene::new().input_schema(json!({"$schema": uri, "type": "object"}));
    let draft7 = || scene(json!("http://json-schema.org/draft-07/schema#"));
    Examples::of(&ENTRY)
        .flags(
            "tool \"tool\": inputSchema: `$schema` names the dialect \"https://example.com/mine\"",
            scene(json!("https://example.com/mine")),
        )
        .flags("`$schema` is a number (7), not a URI", scene(json!(7)))
        .flags(
            "names the dialect \"draft-07\"; allowed: 2020-12",
            draft7().params(json!({"allow": ["2020-12"]})),
        )
        .passes(draft7())
        .passes(scene(json!("https://json-schema.org/draft/2020-12/schema")))
        .passes(
            Scene::new()
                .input_schema(json!({"type": "object"}))
                .params(json!({"allow": ["2020-12"]})),
        )
        .passes(
            scene(json!("https://example.com/mine"))
                .params(json!({"allow": ["https://example.com/mine"]})),
        )
}
