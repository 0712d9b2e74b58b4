//! Colours of overlays, panels and their text.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, de::Error};

const NAMED: [&str; 9] =
    ["default", "black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"];

/// One of the eight terminal colours, `default`, or `#rrggbb`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub(crate) struct Color(String);

impl<'de> Deserialize<'de> for Color {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let hex = text.strip_prefix('#').is_some_and(|digits| {
            digits.len() == 6 && digits.bytes().all(|b| b.is_ascii_hexdigit())
        });
        if hex || NAMED.contains(&text.as_str()) {
            return Ok(Self(text));
        }
        Err(D::Error::custom(format!(
            "{text:?} is no colour: use #rrggbb or one of {}",
            NAMED.join(", ")
        )))
    }
}

impl JsonSchema for Color {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Color".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string",
            "pattern": format!("^(#[0-9A-Fa-f]{{6}}|{})$", NAMED.join("|")),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_hex_pass() {
        let parse = |text: &str| serde_json::from_value::<Color>(text.into()).is_ok();
        assert!(parse("red") && parse("default") && parse("#00fF7a"));
        for bad in ["", "Red", "#fff", "#12345g", "#1234567", "#ééé"] {
            assert!(!parse(bad), "{bad:?}");
        }
    }
}
