//! `tool_schema_root_composition`.

use super::tool_schema::input_schemas;
use crate::lints::meta::lint;
use crate::lints::{Lint, ListContext, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
#[cfg(test)]
use serde_json::json;

lint! {
    /// An input schema has `oneOf`, `anyOf`, `allOf`, `not`, `enum` or `$ref` at its root.
    ///
    /// Legal, but several model providers refuse a function whose parameters are composed at the top level, and with it the whole request.
    ToolSchemaRootComposition(List, Disabled) {}
    spec: "SEP-2106", fix: "Put the alternatives into one object with optional properties, or nest them under a property."
}

impl Lint for ToolSchemaRootComposition {
    fn list(&self, context: &ListContext<'_>, problems: &mut Vec<Problem>) {
        for schema in input_schemas(context.catalog) {
            for keyword in ["oneOf", "anyOf", "allOf", "not", "enum", "$ref"] {
                if schema.root.get(keyword).is_some() {
                    problems.push(schema.problem(
                        keyword,
                        "",
                        format!("it has `{keyword}` at its root"),
                    ));
                }
            }
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    Examples::of(&ENTRY)
        .flags(
            "inputSchema: it has `anyOf` at its root",
            Scene::new().input_schema(json!({"type": "object", "anyOf": [{"required": ["a"]}]})),
        )
        .passes(
            Scene::new()
                .input_schema(json!({"type": "object", "properties": {"a": {"anyOf": [{}]}}})),
        )
        .passes(Scene::new().output_schema(json!({"$ref": "#/$defs/A", "$defs": {"A": {}}})))
}
