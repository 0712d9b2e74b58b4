//! Names of sessions.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, de::Error};

/// Longest name, in characters.
const LONGEST: usize = 64;

/// A session's name: letters, digits, `_`, `.` and `-`, so that it fits into a URI as it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub(crate) struct Name(String);

impl Name {
    /// The name as text.
    pub(crate) fn into_inner(self) -> String {
        self.0
    }
}

impl<'de> Deserialize<'de> for Name {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let allowed = |c: char| c.is_ascii_alphanumeric() || "_.-".contains(c);
        if text.is_empty() || text.len() > LONGEST || !text.chars().all(allowed) {
            return Err(D::Error::custom(format!(
                "{text:?} is no session name: use 1 to {LONGEST} ASCII letters, digits, '_', '.' or '-'"
            )));
        }
        Ok(Self(text))
    }
}

impl JsonSchema for Name {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Name".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "string", "minLength": 1, "maxLength": LONGEST, "pattern": "^[A-Za-z0-9_.-]+$"})
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_uri_safe_names_pass() {
        let parse = |text: &str| serde_json::from_value::<Name>(text.into()).is_ok();
        assert!(parse("build-1.main_x"));
        for bad in ["", "a b", "a/b", "é", "a\n", &"x".repeat(65)] {
            assert!(!parse(bad), "{bad:?}");
        }
    }
}
