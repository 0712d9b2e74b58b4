//! The copy of an input schema that values are built from: narrower than the schema where servers are known to be.
//!
//! Numeric formats (`int32`, `uint8` …) become bounds, and string formats that the dialect does not know (`uuid` under
//! draft 7, `byte` …) become patterns, so that a value valid by the letter is one the server's own types can hold. A
//! schema without a type gets the one its keywords speak of. The root is narrowed to objects: arguments are always one.

use serde_json::{Map, Value, json};

use super::{Dialect, walk};

/// Patterns for string formats that no dialect, or not every dialect, asserts.
const PATTERNS: &[(&str, &str)] = &[
    ("uuid", "^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$"),
    ("duration", "^P([1-9]D(T[1-9]H)?|T[1-9]H([1-9]M)?|T[1-5][0-9]M|[1-9]W)$"),
    ("byte", BASE64),
    ("base64", BASE64),
    ("color", "^#[0-9a-f]{6}$"),
    ("hex-color", "^#[0-9a-f]{6}$"),
    ("phone", "^\\+1[2-9][0-9]{9}$"),
    ("ulid", "^01[0-9A-HJKMNP-TV-Z]{24}$"),
    ("cuid", "^c[a-z0-9]{24}$"),
    ("mac", "^([0-9a-f]{2}:){5}[0-9a-f]{2}$"),
    ("ip", "^10\\.[0-9]\\.[0-9]\\.[1-9]$"),
];

const BASE64: &str =
    "^([A-Za-z0-9+/]{4}){0,6}([A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)?$";

/// Formats known under another name.
const SYNONYMS: &[(&str, &str)] = &[
    ("url", "uri"),
    ("datetime", "date-time"),
    ("timestamp", "date-time"),
    ("uri-ref", "uri-reference"),
    ("ip-address", "ipv4"),
    ("host-name", "hostname"),
    ("guid", "uuid"),
];

/// The narrowed copy of `schema`.
pub(super) fn tightened(schema: &Value, dialect: Dialect) -> Value {
    let mut copy = schema.clone();
    walk::change(&mut copy, &mut |inner| {
        if let Value::Object(members) = inner {
            tighten(members, dialect);
        }
    });
    object_root(&mut copy);
    copy
}

/// The copy of `schema` that is narrowed to objects and nothing else.
pub(super) fn object_only(schema: &Value) -> Value {
    let mut copy = schema.clone();
    object_root(&mut copy);
    copy
}

fn object_root(schema: &mut Value) {
    match schema {
        Value::Bool(true) => *schema = json!({"type": "object"}),
        Value::Object(members) => match members.get("type") {
            Some(Value::String(name)) if name == "object" => {}
            None => {
                members.insert("type".to_owned(), "object".into());
            }
            Some(_) => and(members, json!({"type": "object"})),
        },
        _ => {}
    }
}

fn tighten(members: &mut Map<String, Value>, dialect: Dialect) {
    if members.contains_key("$ref") && dialect.ref_hides_siblings() {
        return;
    }
    if let Some(name) = implied_type(members) {
        members.insert("type".to_owned(), name.into());
    }
    if let Some(format) = members.get("format").and_then(Value::as_str) {
        let format = format.to_ascii_lowercase();
        if let Some((low, high)) = integer_range(&format) {
            if allows(members, &["integer", "number"]) {
                and(members, json!({"minimum": low, "maximum": high}));
            }
        } else if allows(members, &["string"]) {
            tighten_text(members, &format, dialect);
        }
    }
    let encoded = members.get("contentEncoding").and_then(Value::as_str);
    let has_more = ["pattern", "contentMediaType"].iter().any(|key| members.contains_key(*key));
    if encoded == Some("base64") && !has_more {
        and(members, json!({"pattern": BASE64}));
    }
}

/// The one type that the keywords of an untyped schema speak of.
fn implied_type(members: &Map<String, Value>) -> Option<&'static str> {
    if ["type", "enum", "const", "$ref"].iter().any(|key| members.contains_key(*key)) {
        return None;
    }
    let mut implied = TYPE_KEYWORDS
        .iter()
        .filter(|(_, keywords)| keywords.iter().any(|key| members.contains_key(*key)));
    match (implied.next(), implied.next()) {
        (Some((name, _)), None) => Some(name),
        _ => None,
    }
}

/// Types, and the keywords that constrain only them.
const TYPE_KEYWORDS: [(&str, &[&str]); 4] = [
    (
        "object",
        &["properties", "required", "additionalProperties", "patternProperties", "propertyNames"],
    ),
    ("array", &["items", "prefixItems", "contains", "minItems", "maxItems", "uniqueItems"]),
    ("string", &["minLength", "maxLength", "pattern", "contentEncoding", "contentMediaType"]),
    ("number", &["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]),
];

fn tighten_text(members: &mut Map<String, Value>, format: &str, dialect: Dialect) {
    let name =
        SYNONYMS.iter().find(|(synonym, _)| *synonym == format).map_or(format, |(_, name)| name);
    if ["pattern", "enum", "const"].iter().any(|key| members.contains_key(*key)) {
        return;
    }
    if name != format {
        members.insert("format".to_owned(), name.into());
    }
    let is_known = matches!(dialect, Dialect::Draft201909 | Dialect::Draft202012)
        && matches!(name, "uuid" | "duration");
    if let Some((_, pattern)) = PATTERNS.iter().find(|(known, _)| *known == name)
        && !is_known
    {
        and(members, json!({"pattern": pattern}));
    }
}

/// Adds `also` to what `members` ask for.
fn and(members: &mut Map<String, Value>, also: Value) {
    match members.get_mut("allOf") {
        Some(Value::Array(all)) => all.push(also),
        _ => {
            members.insert("allOf".to_owned(), Value::Array(vec![also]));
        }
    }
}

/// Whether the declared type is, or contains, one of `types`; without a declared type, nothing is assumed.
fn allows(members: &Map<String, Value>, types: &[&str]) -> bool {
    match members.get("type") {
        Some(Value::String(name)) => types.contains(&name.as_str()),
        Some(Value::Array(names)) => {
            names.iter().any(|name| name.as_str().is_some_and(|name| types.contains(&name)))
        }
        _ => false,
    }
}

/// The range of a numeric format as code generators use it. 64-bit formats end where JSON numbers are exact.
fn integer_range(format: &str) -> Option<(i64, i64)> {
    const EXACT: i64 = (1 << 53) - 1;
    Some(match format {
        "int8" => (-128, 127),
        "uint8" => (0, 255),
        "int16" => (-32_768, 32_767),
        "uint16" => (0, 65_535),
        "int32" => (-2_147_483_648, 2_147_483_647),
        "uint32" => (0, 4_294_967_295),
        "uint" | "uint64" | "uint128" => (0, EXACT),
        "int" | "int64" | "int128" => (-EXACT, EXACT),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numeric_formats_become_bounds_and_the_root_an_object() {
        let schema = json!({"properties": {"n": {"type": ["integer", "null"], "format": "uint8"}}});
        let copy = tightened(&schema, Dialect::Draft202012);
        assert_eq!(copy["type"], "object");
        assert_eq!(
            copy["properties"]["n"]["allOf"],
            json!([{"minimum": 0, "maximum": 255, "type": "number"}])
        );
    }

    #[test]
    fn uuid_is_a_pattern_only_where_the_dialect_does_not_know_it() {
        let schema =
            json!({"type": "object", "properties": {"id": {"type": "string", "format": "uuid"}}});
        assert!(tightened(&schema, Dialect::Draft7)["properties"]["id"].get("allOf").is_some());
        assert_eq!(tightened(&schema, Dialect::Draft202012), schema);
    }
}
