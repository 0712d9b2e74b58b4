//! `tool_schema_satisfiable`.

use crate::lints::meta::lint;
use crate::lints::{Lint, ListContext, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
#[cfg(test)]
use serde_json::json;

lint! {
    /// No arguments object can be valid against a tool's input schema.
    ///
    /// The tool cannot be called: whatever a client sends breaks the schema. Usually two keywords exclude each other.
    ToolSchemaSatisfiable(List, Warning) {}
    spec: "", fix: "Look for a minimum above a maximum, an `allOf` whose branches exclude each other, or a required property that is not allowed."
}

impl Lint for ToolSchemaSatisfiable {
    fn list(&self, context: &ListContext<'_>, problems: &mut Vec<Problem>) {
        for tool in &context.catalog.tools {
            // Of a repaired copy nothing is certain.
            let certain = tool.input_schema().filter(|schema| !schema.is_repaired());
            if certain.is_some_and(|schema| !schema.is_satisfiable()) {
                let message = format!(
                    "tool {:?}: no arguments can be valid against its input schema",
                    tool.name
                );
                problems.push(Problem::new("unsatisfiable", message).tool(&tool.name));
            }
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    let schema = |a: serde_json::Value| {
        Scene::new()
            .input_schema(json!({"type": "object", "properties": {"a": a}, "required": ["a"]}))
    };
    Examples::of(&ENTRY)
        .flags(
            "tool \"tool\": no arguments can be valid",
            schema(json!({"type": "integer", "minimum": 3, "maximum": 2})),
        )
        .flags(
            "no arguments can be valid",
            schema(json!({"allOf": [{"type": "string"}, {"type": "integer"}]})),
        )
        .passes(schema(json!({"type": "integer", "minimum": 2, "maximum": 2})))
        .passes(
            Scene::new().input_schema(json!({"type": "object", "properties": {"a": {"enum": []}}})),
        )
}
