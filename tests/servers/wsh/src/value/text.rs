//! Texts within a length.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, de::Error};

/// A text of `MIN` to `MAX` characters (Unicode scalar values, as JSON Schema counts them).
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub(crate) struct Text<const MIN: usize, const MAX: usize>(String);

impl<const MIN: usize, const MAX: usize> Text<MIN, MAX> {
    /// The text itself.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

impl<'de, const MIN: usize, const MAX: usize> Deserialize<'de> for Text<MIN, MAX> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let length = text.chars().count();
        if (MIN..=MAX).contains(&length) {
            return Ok(Self(text));
        }
        Err(D::Error::custom(format!("text has {length} characters, {MIN} to {MAX} are allowed")))
    }
}

impl<const MIN: usize, const MAX: usize> JsonSchema for Text<MIN, MAX> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        format!("Text{MIN}To{MAX}").into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let mut schema = json_schema!({"type": "string", "maxLength": MAX});
        if MIN > 0 {
            schema.insert("minLength".into(), MIN.into());
        }
        schema
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_are_counted_not_bytes() {
        let parse = |text: &str| serde_json::from_value::<Text<1, 3>>(text.into()).is_ok();
        assert!(parse("é漢🦀") && parse("a"));
        assert!(!parse("") && !parse("abcd"));
    }
}
