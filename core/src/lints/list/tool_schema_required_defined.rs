//! `tool_schema_required_defined`.

use super::tool_schema::{is_in_place, schemas};
use crate::lints::meta::lint;
use crate::lints::{Lint, ListContext, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
#[cfg(test)]
use serde_json::json;
use serde_json::{Map, Value};

lint! {
    /// A schema requires a property that it does not define.
    ///
    /// Usually a typo or a left-over: callers must send a value of which nothing is known, or, with `additionalProperties: false`, no call can be valid.
    ToolSchemaRequiredDefined(List, Warning) {}
    spec: "", fix: "Define the property under `properties`, or take its name out of `required`."
}

/// Keywords beside `properties` that may define properties, too.
const DEFINING: [&str; 9] = [
    "$ref",
    "$dynamicRef",
    "allOf",
    "anyOf",
    "oneOf",
    "if",
    "dependentSchemas",
    "patternProperties",
    "unevaluatedProperties",
];

impl Lint for ToolSchemaRequiredDefined {
    fn list(&self, context: &ListContext<'_>, problems: &mut Vec<Problem>) {
        for schema in schemas(context.catalog) {
            for inner in schema.inner() {
                let Some(members) =
                    inner.value.as_object().filter(|_| !is_in_place(&inner.pointer))
                else {
                    continue;
                };
                for name in undefined(members) {
                    let closed = members.get("additionalProperties") == Some(&Value::Bool(false));
                    let so = if closed {
                        ", and no other property is allowed: nothing is valid"
                    } else {
                        ""
                    };
                    let message =
                        format!("`required` names {name:?}, which is not under `properties`{so}");
                    problems.push(schema.problem(
                        &format!("undefined {name}"),
                        &inner.pointer,
                        message,
                    ));
                }
            }
        }
    }
}

/// The required names that have no definition, where `properties` is the only place for one.
fn undefined(members: &Map<String, Value>) -> Vec<&str> {
    let (Some(Value::Object(properties)), Some(Value::Array(required))) =
        (members.get("properties"), members.get("required"))
    else {
        return Vec::new();
    };
    if DEFINING.iter().any(|keyword| members.contains_key(*keyword)) {
        return Vec::new();
    }
    let names = required.iter().filter_map(Value::as_str);
    names.filter(|name| !properties.contains_key(*name)).collect()
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    let schema =
        json!({"type": "object", "properties": {"path": {}}, "required": ["path", "mode"]});
    let mut closed = schema.clone();
    closed["additionalProperties"] = json!(false);
    let mut elsewhere = schema.clone();
    elsewhere["allOf"] = json!([{"properties": {"mode": {}}}]);
    let branches = json!({"type": "object", "properties": {"a": {}, "b": {}}, "anyOf": [{"properties": {"a": {}}, "required": ["b"]}]});
    Examples::of(&ENTRY)
        .flags(
            "inputSchema: `required` names \"mode\", which is not under `properties`",
            Scene::new().input_schema(schema.clone()),
        )
        .flags("nothing is valid", Scene::new().input_schema(closed))
        .flags(
            "inputSchema at /properties/a/items: `required`",
            Scene::new()
                .input_schema(json!({"type": "object", "properties": {"a": {"items": schema}}})),
        )
        .passes(Scene::new().input_schema(elsewhere))
        .passes(Scene::new().input_schema(branches))
        .passes(Scene::new().input_schema(json!({"type": "object", "required": ["a"]})))
}
