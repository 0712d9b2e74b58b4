//! References inside one document.

use std::collections::HashMap;

use percent_encoding::percent_decode_str;
use serde_json::Value;

use super::{Dialect, SchemaError, walk};

/// The keywords that refer to other schemas.
const KEYWORDS: [&str; 3] = ["$ref", "$dynamicRef", "$recursiveRef"];

/// The schema that `reference` names in the document `root`; `None` if it names nothing there.
pub(super) fn resolve<'a>(root: &'a Value, reference: &str) -> Option<&'a Value> {
    let (document, fragment) = reference.split_once('#').unwrap_or((reference, ""));
    let base = if document.is_empty() { root } else { find_by_id(root, document)? };
    let fragment = percent_decode_str(fragment).decode_utf8().ok()?;
    if fragment.is_empty() || fragment.starts_with('/') {
        return base.pointer(&fragment);
    }
    find(base, |members| {
        ["$anchor", "$dynamicAnchor"]
            .iter()
            .any(|key| members.get(*key).and_then(Value::as_str) == Some(&fragment))
            || identifier(members).and_then(|id| id.strip_prefix('#')) == Some(&fragment)
    })
}

/// The references of `schema` that name nothing in it, outermost first.
pub(super) fn unresolved(schema: &Value) -> Vec<SchemaError> {
    let mut found = Vec::new();
    walk::visit(schema, &mut |pointer, inner| {
        let Some(members) = inner.as_object() else {
            return;
        };
        for keyword in KEYWORDS {
            let Some(reference) = members.get(keyword).and_then(Value::as_str) else {
                continue;
            };
            if !is_known(schema, reference) {
                found.push(fault(reference, pointer));
            }
        }
    });
    found
}

/// Whether `reference` names something in `root` or one of the published meta-schemas.
pub(super) fn is_known(root: &Value, reference: &str) -> bool {
    let document = reference.split('#').next().unwrap_or_default();
    Dialect::from_uri(document).is_some() || resolve(root, reference).is_some_and(is_schema)
}

fn is_schema(value: &Value) -> bool {
    value.is_object() || value.is_boolean()
}

fn fault(reference: &str, pointer: &str) -> SchemaError {
    let (reference, pointer) = (reference.to_owned(), pointer.to_owned());
    if reference.starts_with('#') {
        SchemaError::DanglingReference { reference, pointer }
    } else {
        SchemaError::RemoteReference { reference, pointer }
    }
}

/// How many levels deep one gets by following a schema and its references, each reference once.
/// Recurses as deeply as that.
pub(super) fn levels(root: &Value) -> usize {
    levels_of(root, root, &mut HashMap::new())
}

/// `known` has the levels behind each reference; `None` while they are being counted.
fn levels_of<'a>(
    root: &'a Value,
    schema: &'a Value,
    known: &mut HashMap<&'a str, Option<usize>>,
) -> usize {
    let mut deepest = 0;
    let mut found: Vec<(usize, &str)> = Vec::new();
    walk::visit(schema, &mut |pointer, inner| {
        let level = pointer.matches('/').count();
        deepest = deepest.max(level);
        let references = KEYWORDS.iter().filter_map(|keyword| inner.get(*keyword)?.as_str());
        found.extend(references.map(|reference| (level, reference)));
    });
    for (level, reference) in found {
        let behind = if let Some(levels) = known.get(reference) {
            levels.unwrap_or(0)
        } else {
            known.insert(reference, None);
            let levels =
                resolve(root, reference).map_or(0, |target| levels_of(root, target, known));
            known.insert(reference, Some(levels));
            levels
        };
        deepest = deepest.max(level + 1 + behind);
    }
    deepest
}

/// The number of references in a schema.
pub(super) fn count(schema: &Value) -> usize {
    let mut count = 0;
    walk::visit(schema, &mut |_, inner| {
        count += KEYWORDS.iter().filter(|keyword| inner.get(**keyword).is_some()).count();
    });
    count
}

/// `$id`, or `id` as draft 4 had it.
fn identifier(members: &serde_json::Map<String, Value>) -> Option<&str> {
    members.get("$id").or_else(|| members.get("id")).and_then(Value::as_str)
}

/// The schema whose `$id` is `document`, written in full or relative to the root's `$id`.
fn find_by_id<'a>(root: &'a Value, document: &str) -> Option<&'a Value> {
    let base = root.as_object().and_then(identifier).and_then(|id| url::Url::parse(id).ok());
    let absolute = |reference: &str| match &base {
        Some(base) => base.join(reference).ok().map(String::from),
        None => url::Url::parse(reference).ok().map(String::from),
    };
    let wanted = absolute(document);
    find(root, |members| {
        identifier(members).is_some_and(|id| {
            let id = id.trim_end_matches('#');
            id == document || (wanted.is_some() && absolute(id) == wanted)
        })
    })
}

fn find(root: &Value, is_it: impl Fn(&serde_json::Map<String, Value>) -> bool) -> Option<&Value> {
    let mut result = None;
    walk::visit(root, &mut |_, schema| {
        if result.is_none() && schema.as_object().is_some_and(&is_it) {
            result = Some(schema);
        }
    });
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn local_references_in_all_their_spellings() {
        let root = json!({
            "$id": "https://example.com/root.json",
            "$defs": {
                "a/b": {"minimum": 1},
                "c d": {"minimum": 2},
                "named": {"$anchor": "here", "minimum": 3},
                "other": {"$id": "other.json", "$defs": {"x": {"minimum": 4}}}
            }
        });
        for (reference, minimum) in [
            ("#/$defs/a~1b", 1),
            ("#/$defs/c%20d", 2),
            ("#here", 3),
            ("other.json#/$defs/x", 4),
            ("https://example.com/other.json#/$defs/x", 4),
        ] {
            let found = resolve(&root, reference).unwrap();
            assert_eq!(found["minimum"], json!(minimum), "{reference}");
        }
        assert_eq!(resolve(&root, "#"), Some(&root));
        assert_eq!(resolve(&root, "#/nothing"), None);
    }

    #[test]
    fn dangling_and_remote_are_told_apart() {
        let root = json!({"properties": {
            "a": {"$ref": "#/components/schemas/A"},
            "b": {"$ref": "https://example.com/b.json"},
            "c": {"$ref": "http://json-schema.org/draft-07/schema#"}
        }});
        let faults = unresolved(&root);
        assert!(
            matches!(&faults[0], SchemaError::DanglingReference { pointer, .. } if pointer == "/properties/a")
        );
        assert!(
            matches!(&faults[1], SchemaError::RemoteReference { pointer, .. } if pointer == "/properties/b")
        );
        assert_eq!(faults.len(), 2);
    }
}
