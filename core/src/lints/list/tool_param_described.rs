//! `tool_param_described`.

use super::tool_schema::input_schemas;
use crate::lints::meta::lint;
use crate::lints::{Lint, ListContext, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use serde_json::Value;
#[cfg(test)]
use serde_json::json;

lint! {
    /// Parameters have no description.
    ///
    /// Models fill parameters in by what they read of them. A name alone often says too little about form and unit.
    ToolParamDescribed(List, Disabled) {}
    spec: "", fix: "Describe each parameter: what it is, in which form, with an example."
}

impl Lint for ToolParamDescribed {
    fn list(&self, context: &ListContext<'_>, problems: &mut Vec<Problem>) {
        for schema in input_schemas(context.catalog) {
            let properties = schema.root.get("properties").and_then(Value::as_object);
            let silent: Vec<&str> = properties
                .into_iter()
                .flatten()
                .filter(|(_, property)| !is_described(property, schema.root))
                .map(|(name, _)| name.as_str())
                .collect();
            if !silent.is_empty() {
                let message = format!("no description of {}", silent.join(", "));
                problems.push(schema.problem("not described", "", message));
            }
        }
    }
}

fn is_described(property: &Value, root: &Value) -> bool {
    let has_text = |schema: &Value| {
        schema
            .get("description")
            .and_then(Value::as_str)
            .is_some_and(|text| !text.trim().is_empty())
    };
    let target = || {
        let reference = property.get("$ref")?.as_str()?.strip_prefix('#')?;
        root.pointer(reference)
    };
    has_text(property) || target().is_some_and(has_text)
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    let schema = |a: Value| json!({"type": "object", "properties": {"a": a, "b": {"description": "B."}}, "$defs": {"A": {"description": "A."}}});
    Examples::of(&ENTRY)
        .flags(
            "inputSchema: no description of a",
            Scene::new().input_schema(schema(json!({"type": "string"}))),
        )
        .passes(Scene::new().input_schema(schema(json!({"description": "A."}))))
        .passes(Scene::new().input_schema(schema(json!({"$ref": "#/$defs/A"}))))
}
