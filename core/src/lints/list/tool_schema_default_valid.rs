//! `tool_schema_default_valid`.

use super::item::shown;
use super::tool_schema::schemas;
use crate::lints::meta::lint;
use crate::lints::{Lint, ListContext, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use crate::schema::{CompiledSchema, Dialect};
#[cfg(test)]
use serde_json::json;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

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
            // One problem for each keyword: most tools that get it wrong do so in all places.
            let mut found: BTreeMap<&str, (String, String, usize)> = BTreeMap::new();
            for inner in schema.inner() {
                if let Some((keyword, message)) = fault(schema.root, inner.value) {
                    let (.., more) = found.entry(keyword).or_insert((inner.pointer, message, 0));
                    *more += 1;
                }
            }
            for (keyword, (pointer, message, places)) in found {
                let more = match places {
                    1 => String::new(),
                    places => format!(" (and so in {} more places)", places - 1),
                };
                let at = format!("{} at {pointer}", schema.member);
                let rule = format!("{keyword} of {}", schema.member);
                problems.push(schema.tool.problem(rule, format!("{at}: {message}{more}")));
            }
        }
    }
}

/// The keyword whose value breaks its own schema, and how.
fn fault(root: &Value, schema: &Value) -> Option<(&'static str, String)> {
    let members = schema.as_object()?;
    let values = values(members);
    if values.is_empty() {
        return None;
    }
    let compiled = alone(root, members)?;
    values.into_iter().find_map(|(keyword, value)| {
        let violation = compiled.violations(value).into_iter().next()?;
        let message = format!(
            "the value {} of `{keyword}` breaks the schema: {}",
            shown(value),
            violation.message
        );
        Some((keyword, message))
    })
}

/// The values that a schema shows, each with its keyword.
fn values(members: &Map<String, Value>) -> Vec<(&'static str, &Value)> {
    let one = |keyword: &'static str| members.get(keyword).map(|value| (keyword, value));
    let many = |keyword: &'static str| {
        members
            .get(keyword)
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .map(move |value| (keyword, value))
    };
    one("default")
        .into_iter()
        .chain(one("const"))
        .chain(many("examples"))
        .chain(many("enum"))
        .collect()
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
    let schema = |a: Value| {
        Scene::new().input_schema(
            json!({"type": "object", "properties": {"a": a}, "$defs": {"A": {"type": "string"}}}),
        )
    };
    Examples::of(&ENTRY)
        .flags("inputSchema at /properties/a: the value null of `default` breaks the schema", schema(json!({"type": "string", "default": null})))
        .flags("the value 11 of `examples`", schema(json!({"maximum": 10, "examples": [3, 11]})))
        .flags("the value 1 of `enum`", schema(json!({"type": "string", "enum": ["a", 1]})))
        .flags("the value 1 of `default`", schema(json!({"$ref": "#/$defs/A", "default": 1})))
        .flags(
            "(and so in 1 more places)",
            Scene::new().input_schema(json!({"type": "object", "properties": {"a": {"type": "string", "default": null}, "b": {"type": "string", "default": null}}})),
        )
        .passes(schema(json!({"anyOf": [{"type": "string"}, {"type": "null"}], "default": null, "enum": [null, "a"]})))
        .passes(schema(json!({"$ref": "#/properties/b", "default": 1})))
        .passes(schema(json!({"format": "date", "default": "today"})))
}
