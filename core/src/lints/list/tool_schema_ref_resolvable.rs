//! `tool_schema_ref_resolvable`.

use super::tool_schema::{defects, schemas};
use crate::lints::meta::lint;
use crate::lints::{Lint, ListContext, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use crate::schema::SchemaError;
#[cfg(test)]
use serde_json::json;

lint! {
    /// A `$ref` points at nothing in its schema.
    ///
    /// Clients cannot compile such a schema and refuse the tool. Usually the definitions were left behind when the schema was cut out of a larger document.
    ToolSchemaRefResolvable(List, Error) {}
    spec: "basic/index#ref-resolution", fix: "Put the definition under `$defs` of the same schema and refer to `#/$defs/NAME`, or write it out in place."
}

impl Lint for ToolSchemaRefResolvable {
    fn list(&self, context: &ListContext<'_>, problems: &mut Vec<Problem>) {
        for schema in schemas(context.catalog) {
            for defect in schema.compiled(context.catalog).map_or(&[][..], defects) {
                if let SchemaError::DanglingReference { reference, pointer } = defect {
                    let message =
                        format!("the reference {reference:?} points at nothing in the schema");
                    problems.push(schema.problem("dangling", pointer, message));
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
            "inputSchema at /properties/a: the reference \"#/$defs/B\" points at nothing",
            Scene::new().input_schema(schema("#/$defs/B")),
        )
        .flags(
            "\"#/components/schemas/A\"",
            Scene::new().output_schema(schema("#/components/schemas/A")),
        )
        .passes(Scene::new().input_schema(schema("#/$defs/A")))
        .passes(Scene::new().input_schema(schema("https://example.com/a.json")))
}
