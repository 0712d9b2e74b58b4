//! `tool_input_schema_object`.

use super::item::{Faults, kind, shown, tools};
use crate::lints::meta::lint;
use crate::lints::{Lint, ListContext, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use serde_json::Value;
#[cfg(test)]
use serde_json::json;

lint! {
    /// A tool's `inputSchema` is missing or does not say `type: "object"`.
    ///
    /// Arguments are always an object. Clients decode the schema as an object of type "object" and drop the tool, or the whole list, otherwise.
    ToolInputSchemaObject(List, Error) {}
    spec: "server/tools#tool", fix: "Send `{\"type\": \"object\", \"properties\": {…}}`; for a tool without parameters `{\"type\": \"object\", \"additionalProperties\": false}`."
}

impl Lint for ToolInputSchemaObject {
    fn list(&self, context: &ListContext<'_>, problems: &mut Vec<Problem>) {
        let mut faults = Faults::new(problems);
        for tool in tools(context.catalog).filter(|tool| tool.raw.is_object()) {
            match tool.raw.get("inputSchema") {
                None => faults.add(tool, "missing", "`inputSchema` is missing"),
                Some(Value::Object(members)) => match members.get("type") {
                    Some(Value::String(name)) if name == "object" => {}
                    None => faults.add(
                        tool,
                        "no type",
                        "`inputSchema` has no `type`; it must be \"object\"",
                    ),
                    Some(other) => {
                        let message = format!(
                            "the `type` of `inputSchema` is {}; it must be \"object\"",
                            shown(other)
                        );
                        faults.add(tool, "other type", message);
                    }
                },
                Some(other) => {
                    let message = format!(
                        "`inputSchema` is {} ({}), not an object",
                        kind(other),
                        shown(other)
                    );
                    faults.add(tool, "not an object", message);
                }
            }
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    Examples::of(&ENTRY)
        .flags("tool \"a\": `inputSchema` is missing", Scene::new().tool(json!({"name": "a"})))
        .flags(
            "`inputSchema` is null (null), not an object",
            Scene::new().input_schema(json!(null)),
        )
        .flags("`inputSchema` is a boolean (true)", Scene::new().input_schema(json!(true)))
        .flags("`inputSchema` has no `type`", Scene::new().input_schema(json!({"properties": {}})))
        .flags(
            "the `type` of `inputSchema` is \"array\"",
            Scene::new().input_schema(json!({"type": "array"})),
        )
        .flags(
            "is [\"object\",\"null\"]",
            Scene::new().input_schema(json!({"type": ["object", "null"]})),
        )
        .passes(Scene::new().input_schema(json!({"type": "object"})))
}
