//! `tool_schema_default_valid`.

use super::item::shown;
use super::tool_schema::{Inner, ToolSchema, schemas};
use crate::schema::{CompiledSchema, Dialect};
use crate::lints::meta::lint;
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use crate::lints::{Lint, ListContext, Problem};
use serde_json::{Map, Value};
#[cfg(test)]
use serde_json::json;

lint! {
    /// A default, an example or an allowed value breaks the very schema that holds it.
    ///
    /// Models and forms send what the schema shows. The server then refuses its own suggestion, or accepts what it says it does not.
    ToolSchemaDefaultValid(List, Warning) {}
    spec: "", fix: "Correct the value, or widen the schema to what is really accepted (for example `type: [\"string\", \"null\"]`)."
}

impl Lint for ToolSchemaDefaultValid {
    fn list(&self, context: &ListContext<'_>, problems: &mut Vec<Problem>) {
        for schema in schemas(context.catalog) {
            for inner in schema.inner() {
                check(schema, &inner, problems);
            }
        }
    }
}

fn check(schema: ToolSchema<'_>, inner: &Inner<'_>, problems: &mut Vec<Problem>) {
    let Some(members) = inner.value.as_object() else {
        return;
    };
    let shown_values = values(members);
    if shown_values.is_empty() {
        return;
    }
    let Some(compiled) = alone(schema.root, members) else {
        return;
    };
    for (keyword, value) in shown_values {
        if let Some(violation) = compiled.violations(value).into_iter().next() {
            let message = format!("the value {} of `{keyword}` breaks the schema: {}", shown(value), violation.message);
            problems.push(schema.problem(keyword, &inner.pointer, message));
            return;
        }
    }
}

/// The values that a schema shows, each with its keyword.
fn values(members: &Map<String, Value>) -> Vec<(&'static str, &Value)> {
    let one = |keyword: &'static str| members.get(keyword).map(|value| (keyword, value));
    let many = |keyword: &'static str| {
        members.get(keyword).and_then(Value::as_array).into_iter().flatten().map(move |value| (keyword, value))
    };
    one("default").into_iter().chain(one("const")).chain(many("examples")).chain(many("enum")).collect()
}

/// An inner schema on its own, with the definitions that it may refer to; nothing where it cannot stand alone.
fn alone(root: &Value, members: &Map<String, Value>) -> Option<CompiledSchema> {
    let mut copy = members.clone();
    for name in ["$schema", "$defs", "definitions"] {
        if let Some(value) = root.get(name) {
            copy.entry(name).or_insert_with(|| value.clone());
        }
    }
    let compiled = CompiledSchema::compile(&Value::Object(copy), Dialect::Draft202012).ok()?;
    compiled.defects().is_empty().then_some(compiled)
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    let schema = |a: Value| Scene::new().input_schema(json!({"type": "object", "properties": {"a": a}, "$defs": {"A": {"type": "string"}}}));
    Examples::of(&ENTRY)
        .flags("inputSchema at /properties/a: the value null of `default` breaks the schema", schema(json!({"type": "string", "default": null})))
        .flags("the value 11 of `examples`", schema(json!({"maximum": 10, "examples": [3, 11]})))
        .flags("the value 1 of `enum`", schema(json!({"type": "string", "enum": ["a", 1]})))
        .flags("the value 1 of `default`", schema(json!({"$ref": "#/$defs/A", "default": 1})))
        .passes(schema(json!({"anyOf": [{"type": "string"}, {"type": "null"}], "default": null, "enum": [null, "a"]})))
        .passes(schema(json!({"$ref": "#/properties/b", "default": 1})))
        .passes(schema(json!({"format": "date", "default": "today"})))
}
