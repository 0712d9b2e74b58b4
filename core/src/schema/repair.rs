//! Schemas with faults: what is wrong in plain words, and a repaired copy from which values can still be built.

use serde_json::{Map, Number, Value, json};

use super::{Dialect, SchemaError, references, validator, walk};

/// Keywords removed one after the other before a schema counts as beyond repair.
const MAX_REMOVALS: usize = 200;

/// Keywords that take a number.
const NUMERIC: &[&str] =
    &["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"];

/// Keywords that take a size.
const SIZES: &[&str] = &[
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "minProperties",
    "maxProperties",
    "minContains",
    "maxContains",
];

/// What stands in for a reference that cannot be followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unknown {
    /// A schema that accepts nothing: no value is built from the branch.
    Nothing,
    /// A schema that accepts everything, where the branch cannot be avoided.
    Anything,
}

/// A copy of `schema` that follows the rules of `dialect`.
pub(super) fn repaired(schema: &Value, dialect: Dialect, unknown: Unknown) -> Value {
    let mut copy = schema.clone();
    drop_unresolved(&mut copy, schema, unknown);
    walk::change(&mut copy, &mut |inner| mend(inner, dialect));
    for _ in 0..MAX_REMOVALS {
        let Some(pointer) = first_fault(&copy, dialect) else {
            break;
        };
        if !remove_at(&mut copy, &pointer) {
            break;
        }
    }
    copy
}

/// Where the rules of the dialect, or the compiler, find the first fault.
fn first_fault(schema: &Value, dialect: Dialect) -> Option<String> {
    let by_rules = validator::faults(schema, dialect)
        .first()
        .map(|error| error.instance_path().as_str().to_owned());
    by_rules.or_else(|| {
        let error = validator::build(schema, dialect, false).err()?;
        Some(error.instance_path().as_str().to_owned())
    })
}

fn drop_unresolved(copy: &mut Value, root: &Value, unknown: Unknown) {
    walk::change(copy, &mut |inner| {
        let Value::Object(members) = inner else {
            return;
        };
        for keyword in ["$ref", "$dynamicRef", "$recursiveRef"] {
            let is_known = match members.get(keyword) {
                None => continue,
                Some(Value::String(reference)) => references::is_known(root, reference),
                Some(_) => false,
            };
            if !is_known {
                members.remove(keyword);
                if unknown == Unknown::Nothing {
                    members.insert("not".to_owned(), json!({}));
                }
            }
        }
    });
}

/// Removes the innermost keyword on the way to `pointer`. Elements of lists go alone.
fn remove_at(schema: &mut Value, pointer: &str) -> bool {
    let Some((parent, token)) = pointer.rsplit_once('/') else {
        return false;
    };
    match schema.pointer_mut(parent) {
        Some(Value::Object(members)) => members.remove(&crate::pointer::unescape(token)).is_some(),
        Some(Value::Array(items)) => match token.parse::<usize>() {
            Ok(index) if index < items.len() => {
                items.remove(index);
                true
            }
            _ => false,
        },
        _ => false,
    }
}

/// Turns known leftovers of other specifications into what was meant, in one schema.
fn mend(schema: &mut Value, dialect: Dialect) {
    let Value::Object(members) = schema else {
        if !schema.is_boolean() {
            *schema = json!({});
        }
        return;
    };
    mend_type(members);
    mend_exclusive(members, dialect);
    mend_numbers(members);
    mend_required(members);
    mend_lists(members, dialect);
    for keyword in ["pattern", "format", "$anchor", "$id", "title", "description"] {
        if members.get(keyword).is_some_and(|value| !value.is_string()) {
            members.remove(keyword);
        }
    }
}

/// The type that was meant by `name`.
fn meant_type(name: &str) -> Option<&'static str> {
    Some(match name.to_ascii_lowercase().as_str() {
        "string" | "str" | "text" | "date" | "datetime" | "file" | "uuid" | "url" | "enum" => {
            "string"
        }
        "integer" | "int" | "long" | "int32" | "int64" => "integer",
        "number" | "float" | "double" | "decimal" => "number",
        "boolean" | "bool" => "boolean",
        "object" | "dict" | "map" | "record" => "object",
        "array" | "list" | "tuple" | "set" => "array",
        "null" | "none" | "nil" => "null",
        _ => return None,
    })
}

fn mend_type(members: &mut Map<String, Value>) {
    let mended = match members.get("type") {
        None => return,
        Some(Value::String(name)) => meant_type(name).map(Value::from),
        Some(Value::Array(names)) => {
            let mut meant: Vec<&str> = Vec::new();
            for name in names.iter().filter_map(Value::as_str).filter_map(meant_type) {
                if !meant.contains(&name) {
                    meant.push(name);
                }
            }
            (!meant.is_empty()).then(|| json!(meant))
        }
        Some(_) => None,
    };
    replace(members, "type", mended);
}

/// Booleans beside a bound (draft 4, `OpenAPI` 3.0), or numbers where draft 4 wants booleans.
fn mend_exclusive(members: &mut Map<String, Value>, dialect: Dialect) {
    for (exclusive, bound) in [("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")] {
        match (members.get(exclusive).cloned(), dialect) {
            (Some(Value::Bool(_)), Dialect::Draft4) => {}
            (Some(Value::Bool(is_open)), _) => {
                let limit = if is_open { members.remove(bound) } else { None };
                replace(members, exclusive, limit);
            }
            (Some(limit @ Value::Number(_)), Dialect::Draft4) => {
                members.insert(bound.to_owned(), limit);
                members.insert(exclusive.to_owned(), true.into());
            }
            _ => {}
        }
    }
}

/// Numbers written as text, and sizes written as fractions.
fn mend_numbers(members: &mut Map<String, Value>) {
    for keyword in NUMERIC {
        let mended = match members.get(*keyword) {
            Some(Value::String(text)) => text.trim().parse::<Number>().ok().map(Value::Number),
            _ => continue,
        };
        replace(members, keyword, mended);
    }
    for keyword in SIZES {
        let mended = match members.get(*keyword) {
            None => continue,
            Some(Value::String(text)) => text.trim().parse::<u64>().ok().map(Value::from),
            Some(Value::Number(number)) => {
                number.as_u64().or_else(|| whole(number)).map(Value::from)
            }
            Some(_) => None,
        };
        replace(members, keyword, mended);
    }
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
fn whole(number: &Number) -> Option<u64> {
    number.as_f64().filter(|value| *value >= 0.0 && *value < 1e15).map(|value| value as u64)
}

/// `required: true` on a property moves to the list of its parent; `required` as text becomes a list.
fn mend_required(members: &mut Map<String, Value>) {
    let mut hoisted = Vec::new();
    if let Some(Value::Object(properties)) = members.get_mut("properties") {
        for (name, property) in properties.iter_mut() {
            let Some(inner) = property.as_object_mut() else {
                continue;
            };
            if let Some(Value::Bool(is_required)) = inner.get("required") {
                if *is_required {
                    hoisted.push(name.clone());
                }
                inner.remove("required");
            }
        }
    }
    let mut names: Vec<String> = match members.get("required") {
        Some(Value::Array(names)) => {
            names.iter().filter_map(Value::as_str).map(str::to_owned).collect()
        }
        Some(Value::String(name)) => vec![name.clone()],
        _ => Vec::new(),
    };
    names.extend(hoisted);
    let mut unique: Vec<String> = Vec::with_capacity(names.len());
    for name in names {
        if !unique.contains(&name) {
            unique.push(name);
        }
    }
    let mended = (!unique.is_empty()).then(|| json!(unique));
    replace(members, "required", mended);
}

/// Lists that must not be empty, tuples as older drafts wrote them, and lists given as one value.
fn mend_lists(members: &mut Map<String, Value>, dialect: Dialect) {
    for keyword in ["allOf", "anyOf", "oneOf", "enum"] {
        match members.get(keyword) {
            None => {}
            Some(Value::Array(items)) if !items.is_empty() => {}
            Some(Value::String(only)) if keyword == "enum" => {
                let only = json!([only]);
                members.insert(keyword.to_owned(), only);
            }
            Some(_) => {
                members.remove(keyword);
            }
        }
    }
    if !dialect.has_array_items() && members.get("items").is_some_and(Value::is_array) {
        if let Some(tuple) = members.remove("items") {
            members.insert("prefixItems".to_owned(), tuple);
        }
        if let Some(rest) = members.remove("additionalItems") {
            members.insert("items".to_owned(), rest);
        }
    }
}

fn replace(members: &mut Map<String, Value>, keyword: &str, value: Option<Value>) {
    match value {
        Some(value) => {
            members.insert(keyword.to_owned(), value);
        }
        None => {
            members.remove(keyword);
        }
    }
}

/// What is wrong with the value at `pointer`, and what to write instead, for the mistakes that are known.
pub(super) fn explanation(schema: &Value, pointer: &str) -> Option<String> {
    let value = schema.pointer(pointer)?;
    let keyword = pointer.rsplit('/').next().unwrap_or_default();
    let found = kind(value);
    Some(match (keyword, value) {
        ("exclusiveMinimum" | "exclusiveMaximum", Value::Bool(_)) => format!(
            "`{keyword}` is a boolean, as in draft 4 and OpenAPI 3.0; here it is a number, and the bound itself"
        ),
        ("exclusiveMinimum" | "exclusiveMaximum", Value::Number(_)) => {
            format!("`{keyword}` is a number; draft 4 takes a boolean beside the bound")
        }
        ("required", Value::Bool(_)) => {
            "`required` is a boolean on the property; list the property's name in `required` of the object that has it"
                .to_owned()
        }
        ("type", Value::String(name)) => match meant_type(name) {
            Some(meant) => format!("`{name}` is no JSON Schema type; write `{meant}`"),
            None => format!("`{name}` is no JSON Schema type; leave `type` out to allow any value"),
        },
        (_, Value::String(text)) if NUMERIC.contains(&keyword) || SIZES.contains(&keyword) => {
            format!("`{keyword}` is the text {text:?}; it must be a number")
        }
        (_, Value::Null) => format!(
            "`{keyword}` is null; leave it out, or write a schema (`{{}}` allows anything)"
        ),
        ("enum" | "anyOf" | "oneOf" | "allOf", Value::Array(items)) if items.is_empty() => {
            format!("`{keyword}` is an empty list; it must have at least one member")
        }
        ("items", Value::Array(_)) => {
            "`items` is a list of schemas, as before 2020-12; a tuple is written `prefixItems` there".to_owned()
        }
        ("properties" | "$defs" | "definitions" | "patternProperties", _) if !value.is_object() => {
            format!("`{keyword}` is {found}; it must be an object that maps names to schemas")
        }
        _ => return None,
    })
}

/// A value's type with its article.
pub(super) const fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

/// The faults of `schema`, in plain words, as its dialect's rules and its references show them.
pub(super) fn faults(schema: &Value, dialect: Dialect) -> Vec<SchemaError> {
    let mut found: Vec<SchemaError> = Vec::new();
    for error in validator::faults(schema, dialect) {
        let fault = validator::explain(&error, schema);
        if !found.contains(&fault) {
            found.push(fault);
        }
    }
    found
}
