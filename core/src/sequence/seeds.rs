//! The user's own values: for one parameter (`seed_values`), or for every string and number (`seed_strings`, `seed_numbers`).

use super::feedback::Known;
use super::intent::Intent;
use super::links::{Arm, Links};
use crate::catalog::Catalog;
use crate::generate::Draw;
use crate::input::StateMachineConfig;
use crate::schema::{CompiledSchema, Parameter};
use rustc_hash::FxHashMap;
use serde_json::Value;

/// How often a whole value that the user gave is used: nearly always, since nobody knows better.
const WHOLE: f64 = 0.85;

/// Values for whole objects and lists, by tool and property.
pub type Whole = FxHashMap<usize, Vec<(String, Vec<Value>)>>;

/// Lays the user's values out: those of single parameters with what is known to work, those of objects and lists apart.
pub fn lay_out(
    config: &StateMachineConfig,
    catalog: &Catalog,
    intents: &[Intent],
    links: &mut Links,
) -> (Known, Whole) {
    let (mut known, mut whole) = (Known::default(), Whole::default());
    for tool in &catalog.tools {
        let Some(schema) = tool.input_schema() else { continue };
        for parameter in schema.parameters() {
            let own = named(config, &tool.name, parameter);
            let general = if own.is_empty() { general(config) } else { Vec::new() };
            let is_own = !own.is_empty();
            let mut values = own;
            values.extend(general);
            values.retain(|value| schema.accepts(parameter, value));
            if values.is_empty() {
                continue;
            }
            let hinted = !parameter.hints.is_empty();
            let param = links.param(tool.index, &intents[tool.index], &parameter.pointer, hinted);
            if is_own {
                // Trusted like a value that has worked a few times.
                links.get_mut(param).known = Arm::new(8.0, 0.5);
            }
            known.insert(param, values);
        }
        let properties = wholes(config, &tool.name, schema);
        if !properties.is_empty() {
            whole.insert(tool.index, properties);
        }
    }
    (known, whole)
}

/// Objects and lists that the schemas of properties give as examples, or that their descriptions write down in full.
pub fn written(catalog: &Catalog) -> Whole {
    let mut whole = Whole::default();
    for tool in &catalog.tools {
        let properties = tool.raw.pointer("/inputSchema/properties").and_then(Value::as_object);
        for (name, property) in properties.into_iter().flatten() {
            let examples = property.get("examples").and_then(Value::as_array).into_iter().flatten();
            let given = property.get("default").into_iter().chain(examples).cloned();
            let described = property.get("description").and_then(Value::as_str).unwrap_or_default();
            let filled = |value: &Value| match value {
                Value::Array(items) => !items.is_empty(),
                Value::Object(members) => !members.is_empty(),
                _ => false,
            };
            let values: Vec<Value> = given.chain(documents(described)).filter(filled).collect();
            if !values.is_empty() {
                whole.entry(tool.index).or_default().push((name.clone(), values));
            }
        }
    }
    whole
}

/// The JSON lists and objects in a text.
fn documents(text: &str) -> Vec<Value> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(['[', '{']) {
        rest = &rest[at..];
        let mut values = serde_json::Deserializer::from_str(rest).into_iter::<Value>();
        let read = match values.next() {
            Some(Ok(value)) => {
                found.push(value);
                values.byte_offset()
            }
            _ => 1,
        };
        rest = &rest[read..];
    }
    found
}

/// As [`place`], for some of the properties that are given anyway.
pub fn replace(
    written: &[(String, Vec<Value>)],
    schema: &CompiledSchema,
    arguments: &mut Value,
    share: f64,
    draw: &mut Draw,
) {
    let given = |name: &String| arguments.get(name).is_some();
    let given: Vec<_> = written.iter().filter(|(name, _)| given(name)).cloned().collect();
    for property in given {
        if draw.chance(share) {
            place(&[property], schema, arguments, draw);
        }
    }
}

/// Puts whole values in their places where the arguments stay valid.
pub fn place(
    whole: &[(String, Vec<Value>)],
    schema: &CompiledSchema,
    arguments: &mut Value,
    draw: &mut Draw,
) {
    for (property, values) in whole {
        if !draw.chance(WHOLE) {
            continue;
        }
        let value = values[draw.index(values.len())].clone();
        let mut changed = arguments.clone();
        let Some(object) = changed.as_object_mut() else { return };
        object.insert(property.clone(), value);
        if schema.is_valid(&changed) {
            *arguments = changed;
        }
    }
}

/// The values under `tool.parameter` and `parameter`; a parameter inside of others is also named by its whole path.
fn named(config: &StateMachineConfig, tool: &str, parameter: &Parameter) -> Vec<Value> {
    let path: Vec<String> = parameter
        .pointer
        .split('/')
        .skip(1)
        .filter(|token| token.parse::<usize>().is_err())
        .map(crate::pointer::unescape)
        .collect();
    let path = path.join(".");
    let is_meant = |key: &str| key == path || key == parameter.name;
    let values = |(key, values): (&String, &Vec<Value>)| {
        let of_tool = key.strip_prefix(tool).and_then(|rest| rest.strip_prefix('.'));
        (is_meant(key) || of_tool.is_some_and(is_meant)).then(|| values.clone())
    };
    config.seed_values.iter().filter_map(values).flatten().collect()
}

fn general(config: &StateMachineConfig) -> Vec<Value> {
    let strings = config.seed_strings.iter().map(|text| Value::from(text.as_str()));
    let plain = |number: f64| {
        let is_whole = number.fract() == 0.0 && number.abs() < 9e15;
        #[expect(clippy::cast_possible_truncation, reason = "it has no fraction and fits")]
        if is_whole { Value::from(number as i64) } else { Value::from(number) }
    };
    strings.chain(config.seed_numbers.iter().map(|number| plain(*number))).collect()
}

/// The objects and lists given for properties of a tool.
fn wholes(
    config: &StateMachineConfig,
    tool: &str,
    schema: &CompiledSchema,
) -> Vec<(String, Vec<Value>)> {
    let properties = schema.read().get("properties").and_then(Value::as_object);
    let mut found: Vec<(String, Vec<Value>)> = Vec::new();
    for (name, _) in properties.into_iter().flatten() {
        let keys = [format!("{tool}.{name}"), name.clone()];
        let given = keys.iter().filter_map(|key| config.seed_values.get(key)).flatten();
        let is_free = schema.all_parameters().at(&crate::pointer::join("", name)).is_some();
        let values: Vec<Value> = given
            .filter(|value| (value.is_object() || value.is_array()) && !is_free)
            .cloned()
            .collect();
        if !values.is_empty() {
            found.push((name.clone(), values));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::Dialect;
    use serde_json::json;

    fn config(document: Value) -> StateMachineConfig {
        serde_json::from_value(document).unwrap()
    }

    fn schema() -> CompiledSchema {
        let raw = json!({"type": "object", "properties": {
            "city": {"type": "string"},
            "days": {"type": "integer"},
            "box": {"type": "object", "properties": {"width": {"type": "number"}}, "required": ["width"]},
        }});
        CompiledSchema::compile(&raw, Dialect::Draft202012).unwrap()
    }

    #[test]
    fn lists_written_in_full_are_found() {
        let found = documents("A matrix [rows], 示例: [[1, 2], [3, 4]] or {\"a\": 1}.");
        assert_eq!(found, [json!([[1, 2], [3, 4]]), json!({"a": 1})]);
    }

    #[test]
    fn parameters_are_named_alone_with_their_tool_or_by_their_path() {
        let config = config(json!({"seed_values": {
            "city": ["Paris"], "get.it.city": ["Rome"], "other.city": ["Oslo"], "box.width": [1], "get.it.width": [2],
        }}));
        let schema = schema();
        let of = |pointer: &str| {
            let parameters = schema.parameters();
            let parameter = parameters.iter().find(|one| one.pointer == pointer).unwrap();
            named(&config, "get.it", parameter)
        };
        assert_eq!(of("/city"), [json!("Paris"), json!("Rome")]);
        assert_eq!(of("/box/width"), [json!(1), json!(2)]);
        assert!(of("/days").is_empty());
    }

    #[test]
    fn general_values_go_where_they_are_allowed() {
        let config = config(json!({"seed_strings": ["a"], "seed_numbers": [3.0, 2.5]}));
        let values = general(&config);
        assert_eq!(values, [json!("a"), json!(3), json!(2.5)]);
        let schema = schema();
        let days = schema.parameters().iter().find(|one| one.name == "days").unwrap();
        let allowed = values.iter().filter(|value| schema.accepts(days, value)).count();
        assert_eq!(allowed, 1);
    }

    #[test]
    fn whole_objects_are_placed_only_where_they_are_valid() {
        let config =
            config(json!({"seed_values": {"box": [{"width": 7}], "get.box": [{"width": "wide"}]}}));
        let schema = schema();
        let whole = wholes(&config, "get", &schema);
        assert_eq!(whole.len(), 1);
        let mut seen = Vec::new();
        for number in 0..40 {
            let mut arguments = json!({"box": {"width": 1}});
            place(&whole, &schema, &mut arguments, &mut Draw::new(number));
            assert!(schema.is_valid(&arguments), "{arguments}");
            seen.push(arguments["box"]["width"].clone());
        }
        assert!(seen.contains(&json!(7)) && !seen.contains(&json!("wide")), "{seen:?}");
    }
}
