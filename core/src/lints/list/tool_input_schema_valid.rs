//! `tool_input_schema_valid`.

use super::tool_schema::report_invalid;
use crate::lints::meta::lint;
use crate::lints::{Lint, ListContext, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
#[cfg(test)]
use crate::protocol::Revision;
#[cfg(test)]
use serde_json::json;

lint! {
    /// An input schema breaks the rules of its JSON Schema dialect.
    ///
    /// Clients that compile it refuse the tool; the others check less than the schema seems to say. Without `$schema` the dialect is 2020-12.
    ToolInputSchemaValid(List, Error) {}
    spec: "basic/index#schema-validation", fix: "Correct the keyword as the message says; what comes from OpenAPI often needs translating."
}

impl Lint for ToolInputSchemaValid {
    fn list(&self, context: &ListContext<'_>, problems: &mut Vec<Problem>) {
        report_invalid(context, "inputSchema", problems);
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    let schema = |a: serde_json::Value| json!({"type": "object", "properties": {"a": a}});
    let draft4 = json!({"$schema": "http://json-schema.org/draft-04/schema#", "type": "object", "properties": {"a": {"minimum": 0, "exclusiveMinimum": true}}});
    Examples::of(&ENTRY)
        .flags(
            "tool \"tool\": inputSchema at /properties/a/type",
            Scene::new().input_schema(schema(json!({"type": "int"}))),
        )
        .flags(
            "/properties/a/minimum",
            Scene::new().input_schema(schema(json!({"type": "string", "minimum": "0"}))),
        )
        .flags(
            "/properties/a/exclusiveMinimum",
            Scene::new().input_schema(schema(json!({"minimum": 0, "exclusiveMinimum": true}))),
        )
        .flags(
            "/properties/a/required",
            Scene::at(Revision::V2024_11_05).input_schema(schema(json!({"required": true}))),
        )
        .passes(Scene::new().input_schema(draft4))
        .passes(
            Scene::new().input_schema(schema(json!({"type": ["integer", "null"], "pattern": "("}))),
        )
        .passes(Scene::new().output_schema(schema(json!({"type": "int"}))))
}
