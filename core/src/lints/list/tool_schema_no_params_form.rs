//! `tool_schema_no_params_form`.

use super::tool_schema::input_schemas;
use crate::lints::meta::lint;
use crate::lints::{Lint, ListContext, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use serde_json::Value;
#[cfg(test)]
use serde_json::json;

lint! {
    /// A tool without parameters accepts any.
    ///
    /// `{"type": "object", "additionalProperties": false}` is the recommended form: it tells models and clients that nothing is expected.
    ToolSchemaNoParamsForm(List, Disabled) {}
    spec: "server/tools#tool", fix: "Write `{\"type\": \"object\", \"additionalProperties\": false}`.", since: V2025_11_25
}

const OTHER: [&str; 7] =
    ["$ref", "allOf", "anyOf", "oneOf", "if", "patternProperties", "additionalProperties"];

impl Lint for ToolSchemaNoParamsForm {
    fn list(&self, context: &ListContext<'_>, problems: &mut Vec<Problem>) {
        for schema in input_schemas(context.catalog) {
            let properties = schema.root.get("properties").and_then(Value::as_object);
            let has_none = properties.is_none_or(serde_json::Map::is_empty);
            if has_none && OTHER.iter().all(|keyword| schema.root.get(keyword).is_none()) {
                problems.push(schema.problem(
                    "open",
                    "",
                    "it defines no parameters and accepts any",
                ));
            }
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    Examples::of(&ENTRY)
        .flags(
            "inputSchema: it defines no parameters and accepts any",
            Scene::new().input_schema(json!({"type": "object", "properties": {}})),
        )
        .passes(Scene::new().input_schema(json!({"type": "object", "additionalProperties": false})))
        .passes(Scene::new().input_schema(json!({"type": "object", "properties": {"a": {}}})))
}
