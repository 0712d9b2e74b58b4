//! Where schemas sit inside a schema.

use crate::pointer;
use serde_json::{Map, Value};

/// Keywords whose value is one schema.
const SINGLE: &[&str] = &[
    "additionalItems",
    "additionalProperties",
    "contains",
    "contentSchema",
    "else",
    "if",
    "items",
    "not",
    "propertyNames",
    "then",
    "unevaluatedItems",
    "unevaluatedProperties",
];

/// Keywords whose value is a list of schemas. `items` was one, too, up to 2019-09.
const LISTS: &[&str] = &["allOf", "anyOf", "oneOf", "prefixItems", "items"];

/// Keywords whose value maps names to schemas. `dependencies` also maps names to lists of names.
const MAPS: &[&str] = &[
    "$defs",
    "definitions",
    "dependencies",
    "dependentSchemas",
    "patternProperties",
    "properties",
];

/// Calls `visit` with the JSON Pointer and value of `schema` and of every schema inside it, outermost first.
pub(crate) fn visit<'a>(schema: &'a Value, visit: &mut impl FnMut(&str, &'a Value)) {
    let mut open = vec![(String::new(), schema)];
    while let Some((pointer, schema)) = open.pop() {
        visit(&pointer, schema);
        let Value::Object(members) = schema else {
            continue;
        };
        let mut inner = Vec::new();
        for_each_child(members, |path, child| {
            inner.push((format!("{pointer}/{path}"), child));
        });
        // The last one pushed is visited first.
        open.extend(inner.into_iter().rev());
    }
}

fn for_each_child<'a>(members: &'a Map<String, Value>, mut found: impl FnMut(String, &'a Value)) {
    for (keyword, value) in members {
        let name = keyword.as_str();
        match value {
            Value::Array(items) if LISTS.contains(&name) => {
                for (index, item) in items.iter().enumerate() {
                    found(format!("{name}/{index}"), item);
                }
            }
            Value::Object(inner) if MAPS.contains(&name) => {
                for (key, item) in inner {
                    if name != "dependencies" || !item.is_array() {
                        found(format!("{name}/{}", pointer::escape(key)), item);
                    }
                }
            }
            _ if SINGLE.contains(&name) => found(name.to_owned(), value),
            _ => {}
        }
    }
}

/// Calls `change` on `schema` and on every schema inside it, innermost last. Recurses: the caller has checked the depth.
pub(super) fn change(schema: &mut Value, change_one: &mut impl FnMut(&mut Value)) {
    change_one(schema);
    let Value::Object(members) = schema else {
        return;
    };
    for (keyword, value) in members.iter_mut() {
        let name = keyword.as_str();
        match value {
            Value::Array(items) if LISTS.contains(&name) => {
                for item in items {
                    change(item, change_one);
                }
            }
            Value::Object(inner) if MAPS.contains(&name) => {
                for item in inner.values_mut() {
                    if name != "dependencies" || !item.is_array() {
                        change(item, change_one);
                    }
                }
            }
            _ if SINGLE.contains(&name) => change(value, change_one),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn every_schema_is_visited_and_values_are_not() {
        let schema = json!({
            "properties": {"a/b": {"const": {"type": "x"}}, "c": {"items": [{"minimum": 1}]}},
            "dependencies": {"a": ["b"], "c": {"required": ["d"]}},
            "enum": [{"properties": {}}]
        });
        let mut seen = Vec::new();
        visit(&schema, &mut |pointer, _| seen.push(pointer.to_owned()));
        assert_eq!(
            seen,
            ["", "/properties/a~1b", "/properties/c", "/properties/c/items/0", "/dependencies/c"]
        );
        for pointer in &seen {
            assert!(schema.pointer(pointer).is_some());
        }
    }
}
