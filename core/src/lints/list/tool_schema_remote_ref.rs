//! `tool_schema_remote_ref`.

use super::tool_schema::{defects, schemas};
use crate::lints::meta::lint;
use crate::lints::{Lint, ListContext, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use crate::schema::SchemaError;
#[cfg(test)]
use serde_json::json;

lint! {
    /// A `$ref` points at another document.
    ///
    /// Clients must not fetch it, so they cannot compile the schema, and refuse the tool or check nothing.
    ToolSchemaRemoteRef(List, Warning) {}
    spec: "basic/index#ref-resolution", fix: "Copy the definition under `$defs` of the same schema and refer to it there."
}

impl Lint for ToolSchemaRemoteRef {
    fn list(&self, context: &ListContext<'_>, problems: &mut Vec<Problem>) {
        for schema in schemas(context.catalog) {
            for defect in schema.compiled(context.catalog).map_or(&[][..], defects) {
                if let SchemaError::RemoteReference { reference, pointer } = defect {
                    let message = format!(
                        "the reference {reference:?} points at another document, which clients do not fetch"
                    );
                    problems.push(schema.problem("remote", pointer, message));
                }
            }
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    let schema = |reference: &str| json!({"type": "object", "properties": {"a": {"$ref": reference}}, "$defs": {"A": {"type": "string"}}});
    Examples::of(&ENTRY)
        .flags(
            "inputSchema at /properties/a: the reference \"https://example.com/a.json\"",
            Scene::new().input_schema(schema("https://example.com/a.json")),
        )
        .passes(Scene::new().input_schema(schema("#/$defs/A")))
        .passes(Scene::new().input_schema(schema("#/$defs/B")))
}
