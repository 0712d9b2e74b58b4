//! `tool_schema_property_objects`.

use super::item::{kind, shown};
use super::tool_schema::schemas;
use crate::lints::meta::lint;
use crate::lints::{Lint, ListContext, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use serde_json::Value;
#[cfg(test)]
use serde_json::json;

lint! {
    /// A property's schema is not an object.
    ///
    /// JSON Schema allows `true` and `false` there; the protocol's own schema up to 2025-11-25 does not, and TypeScript clients refuse the whole list.
    ToolSchemaPropertyObjects(List, Warning) {}
    spec: "schema#tool", fix: "Write `{}` for `true`, and leave out a property whose schema is `false`.", until: V2025_11_25
}

impl Lint for ToolSchemaPropertyObjects {
    fn list(&self, context: &ListContext<'_>, problems: &mut Vec<Problem>) {
        for schema in schemas(context.catalog) {
            let Some(Value::Object(properties)) = schema.root.get("properties") else {
                continue;
            };
            for (name, value) in properties.iter().filter(|(_, value)| !value.is_object()) {
                let message = format!(
                    "the schema of property {name:?} is {} ({}), not an object",
                    kind(value),
                    shown(value)
                );
                problems.push(schema.problem("no object", &format!("/properties/{name}"), message));
            }
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    let properties = |schema: Value| json!({"type": "object", "properties": {"a": schema}});
    Examples::of(&ENTRY)
        .flags("tool \"tool\": inputSchema at /properties/a: the schema of property \"a\" is a boolean (true)", Scene::new().input_schema(properties(json!(true))))
        .flags("outputSchema at /properties/a", Scene::new().output_schema(properties(json!(null))))
        .passes(Scene::new().input_schema(properties(json!({}))))
}
