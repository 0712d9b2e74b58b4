//! `tool_output_schema_object`.

use super::item::{Faults, shown, tools};
use crate::lints::meta::lint;
use crate::lints::{Lint, ListContext, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use serde_json::Value;
#[cfg(test)]
use serde_json::json;

lint! {
    /// A tool's `outputSchema` does not say `type: "object"`.
    ///
    /// Up to 2025-11-25 structured content is an object. TypeScript clients refuse the whole list because of one such schema.
    ToolOutputSchemaObject(List, Error) {}
    spec: "schema#tool", fix: "Wrap the value in an object, for example `{\"type\": \"object\", \"properties\": {\"result\": …}}`.", since: V2025_06_18, until: V2025_11_25
}

impl Lint for ToolOutputSchemaObject {
    fn list(&self, context: &ListContext<'_>, problems: &mut Vec<Problem>) {
        let mut faults = Faults::new(problems);
        for tool in tools(context.catalog) {
            let Some(Value::Object(members)) = tool.raw.get("outputSchema") else {
                continue;
            };
            match members.get("type") {
                Some(Value::String(name)) if name == "object" => {}
                None => faults.add(
                    tool,
                    "no type",
                    "`outputSchema` has no `type`; in this revision it must be \"object\"",
                ),
                Some(other) => {
                    let message = format!(
                        "the `type` of `outputSchema` is {}; in this revision it must be \"object\"",
                        shown(other)
                    );
                    faults.add(tool, "other type", message);
                }
            }
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    Examples::of(&ENTRY)
        .flags(
            "the `type` of `outputSchema` is \"array\"",
            Scene::new().output_schema(json!({"type": "array"})),
        )
        .flags(
            "`outputSchema` has no `type`",
            Scene::new().output_schema(json!({"$ref": "#/$defs/A", "$defs": {"A": {}}})),
        )
        .passes(Scene::new().output_schema(json!({"type": "object"})))
        .passes(Scene::new().input_schema(json!({"type": "object"})))
}
