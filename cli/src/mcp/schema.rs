//! The JSON Schemas of the tools, made from those of the documents, as clients of every kind can read them.

use serde_json::{Map, Value};
use std::collections::BTreeSet;
use std::sync::LazyLock;
use tooltest_core::TooltestInput;

/// A JSON object.
pub(super) type Object = Map<String, Value>;

/// The schema of the input, without what a client cannot give.
pub(super) static INPUT: LazyLock<Object> = LazyLock::new(|| {
    let mut schema = of::<TooltestInput>();
    if let Some(forms) = schema_at(&mut schema, "/$defs/Target/oneOf").and_then(Value::as_array_mut)
    {
        forms.retain(|form| form.pointer("/properties/in_process").is_none());
    }
    without_unused(schema)
});

/// The schema of a type.
pub(super) fn of<T: schemars::JsonSchema>() -> Object {
    let mut schema = schemars::schema_for!(T).to_value();
    plain(&mut schema);
    match schema {
        Value::Object(object) => object,
        _ => Object::new(),
    }
}

/// The part of an object's schema that has these properties.
pub(super) fn part(schema: &Object, names: &[&str]) -> Object {
    let mut part = schema.clone();
    if let Some(Value::Object(properties)) = part.get_mut("properties") {
        properties.retain(|name, _| names.contains(&name.as_str()));
    }
    if let Some(Value::Array(required)) = part.get_mut("required") {
        required.retain(|name| name.as_str().is_some_and(|name| names.contains(&name)));
    }
    without_unused(part)
}

/// The same schema with words only for its own properties, not for what is inside of them.
pub(super) fn terse(mut schema: Object) -> Object {
    if let Some(definitions) = schema.get_mut("$defs") {
        wordless(definitions);
    }
    schema
}

fn wordless(schema: &mut Value) {
    match schema {
        Value::Object(object) => {
            // A property may be called so, too; then it is a schema.
            if object.get("description").is_some_and(Value::is_string) {
                object.remove("description");
            }
            object.values_mut().for_each(wordless);
        }
        Value::Array(list) => list.iter_mut().for_each(wordless),
        _ => {}
    }
}

fn schema_at<'a>(schema: &'a mut Object, pointer: &str) -> Option<&'a mut Value> {
    let mut rest = pointer.split('/').skip(1);
    let first = schema.get_mut(rest.next()?)?;
    rest.try_fold(first, |at, key| at.get_mut(key))
}

/// Drops what only Rust knows: formats such as `uint64`, over which validators of other languages complain.
fn plain(schema: &mut Value) {
    match schema {
        Value::Object(object) => {
            let rust = |format: &str| {
                ["uint", "int", "float", "double"].iter().any(|start| format.starts_with(start))
            };
            if object.get("format").and_then(Value::as_str).is_some_and(rust) {
                object.remove("format");
            }
            object.values_mut().for_each(plain);
        }
        Value::Array(list) => list.iter_mut().for_each(plain),
        _ => {}
    }
}

/// Drops definitions that nothing refers to.
fn without_unused(mut schema: Object) -> Object {
    let Some(Value::Object(mut definitions)) = schema.remove("$defs") else { return schema };
    let mut used = BTreeSet::new();
    let mut open = Vec::new();
    references(&Value::Object(schema.clone()), &mut open);
    while let Some(name) = open.pop() {
        if let Some(definition) = definitions.get(&name).filter(|_| !used.contains(&name)) {
            references(definition, &mut open);
            used.insert(name);
        }
    }
    definitions.retain(|name, _| used.contains(name));
    if !definitions.is_empty() {
        schema.insert("$defs".to_owned(), Value::Object(definitions));
    }
    schema
}

/// The definitions that a schema refers to.
fn references(schema: &Value, found: &mut Vec<String>) {
    match schema {
        Value::Object(object) => {
            let name = object.get("$ref").and_then(Value::as_str);
            found.extend(name.and_then(|name| name.strip_prefix("#/$defs/")).map(str::to_owned));
            object.values().for_each(|value| references(value, found));
        }
        Value::Array(list) => list.iter().for_each(|value| references(value, found)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_input_is_the_documented_one_but_for_what_clients_cannot_give() {
        let text = serde_json::to_string(&*INPUT).unwrap();
        assert!(!text.contains("in_process") && !text.contains("InProcess"), "{text}");
        assert!(!text.contains("uint"), "{text}");
        let whole = of::<TooltestInput>();
        assert_eq!(
            INPUT["properties"].as_object().unwrap().len(),
            whole["properties"].as_object().unwrap().len()
        );
        assert_eq!(INPUT["required"], serde_json::json!(["target"]));
    }

    #[test]
    fn a_terse_schema_allows_the_same() {
        let schema = terse(INPUT.clone());
        assert!(schema["properties"]["seed"]["description"].is_string());
        let target = &schema["$defs"]["StdioTarget"];
        assert_eq!(target.get("description"), None);
        assert_eq!(
            target["properties"],
            serde_json::json!({
                "command": {"type": "string", "pattern": "\\S"},
                "args": {"type": "array", "items": {"type": "string"}},
                "env": {"type": "object", "additionalProperties": {"type": "string"}},
                "cwd": {"type": ["string", "null"]},
            })
        );
    }

    #[test]
    fn parts_keep_the_definitions_that_they_need() {
        let schema = part(&INPUT, &["target", "request_timeout"]);
        let names = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
        assert_eq!(names(&schema["properties"]), ["target", "request_timeout"]);
        assert_eq!(names(&schema["$defs"]), ["Target", "StdioTarget", "HttpTarget"]);
    }
}
