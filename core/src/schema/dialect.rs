//! The JSON Schema dialects that tool schemas are written in.

use jsonschema::Draft;
use serde_json::Value;

/// A version of JSON Schema, told by `$schema`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Dialect {
    /// Draft 4 (boolean `exclusiveMinimum`).
    Draft4,
    /// Draft 6.
    Draft6,
    /// Draft 7, which most TypeScript servers send.
    Draft7,
    /// 2019-09.
    Draft201909,
    /// 2020-12, the default since protocol revision 2025-11-25.
    Draft202012,
}

impl Dialect {
    /// The dialect that a `$schema` URI names, with or without a trailing `#`, over http or https; `None` if unknown.
    pub fn from_uri(uri: &str) -> Option<Self> {
        let bare = uri.trim().trim_end_matches('#').trim_end_matches('/');
        let bare = bare.strip_prefix("https://").or_else(|| bare.strip_prefix("http://"))?;
        match bare {
            "json-schema.org/draft-04/schema" => Some(Self::Draft4),
            "json-schema.org/draft-06/schema" => Some(Self::Draft6),
            "json-schema.org/draft-07/schema" => Some(Self::Draft7),
            "json-schema.org/draft/2019-09/schema" => Some(Self::Draft201909),
            "json-schema.org/draft/2020-12/schema" | "json-schema.org/schema" => {
                Some(Self::Draft202012)
            }
            _ => None,
        }
    }

    /// The canonical `$schema` URI.
    pub const fn uri(self) -> &'static str {
        match self {
            Self::Draft4 => "http://json-schema.org/draft-04/schema#",
            Self::Draft6 => "http://json-schema.org/draft-06/schema#",
            Self::Draft7 => "http://json-schema.org/draft-07/schema#",
            Self::Draft201909 => "https://json-schema.org/draft/2019-09/schema",
            Self::Draft202012 => "https://json-schema.org/draft/2020-12/schema",
        }
    }

    /// Whether keywords beside `$ref` are ignored (up to draft 7).
    pub const fn ref_hides_siblings(self) -> bool {
        matches!(self, Self::Draft4 | Self::Draft6 | Self::Draft7)
    }

    /// Whether `items` may be an array of schemas (up to 2019-09).
    pub const fn has_array_items(self) -> bool {
        !matches!(self, Self::Draft202012)
    }

    /// The same dialect in the validator's terms.
    pub(super) const fn draft(self) -> Draft {
        match self {
            Self::Draft4 => Draft::Draft4,
            Self::Draft6 => Draft::Draft6,
            Self::Draft7 => Draft::Draft7,
            Self::Draft201909 => Draft::Draft201909,
            Self::Draft202012 => Draft::Draft202012,
        }
    }
}

/// The dialect of a schema and, if `$schema` names an unknown one, that name. Unknown dialects are read as 2020-12.
pub(super) fn detect(raw: &Value, default: Dialect) -> (Dialect, Option<String>) {
    match raw.get("$schema") {
        None => (default, None),
        Some(Value::String(uri)) => match Dialect::from_uri(uri) {
            Some(dialect) => (dialect, None),
            None => (Dialect::Draft202012, Some(uri.clone())),
        },
        Some(other) => (default, Some(other.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn trailing_hash_and_scheme_do_not_matter() {
        for dialect in [
            Dialect::Draft4,
            Dialect::Draft6,
            Dialect::Draft7,
            Dialect::Draft201909,
            Dialect::Draft202012,
        ] {
            let bare = dialect.uri().trim_end_matches('#');
            assert_eq!(Dialect::from_uri(bare), Some(dialect));
            assert_eq!(Dialect::from_uri(&format!("{bare}#")), Some(dialect));
            let other = bare.replace("https://", "http://");
            assert_eq!(Dialect::from_uri(&other), Some(dialect));
        }
    }

    #[test]
    fn unknown_dialect_is_recorded_and_read_as_the_newest() {
        let raw = json!({"$schema": "https://example.com/my-dialect"});
        assert_eq!(
            detect(&raw, Dialect::Draft7),
            (Dialect::Draft202012, Some("https://example.com/my-dialect".into()))
        );
        assert_eq!(detect(&json!({}), Dialect::Draft7), (Dialect::Draft7, None));
    }
}
