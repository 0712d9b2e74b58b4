//! Whole numbers within bounds.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, de::Error};

/// A whole number from `MIN` to `MAX`, both included. `3.0` is the whole number 3, as in JSON Schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub(crate) struct Whole<const MIN: u32, const MAX: u32>(u32);

impl<const MIN: u32, const MAX: u32> Whole<MIN, MAX> {
    /// The number nearest to `value` that is within bounds.
    pub(crate) fn clamped(value: u32) -> Self {
        Self(value.clamp(MIN, MAX))
    }

    /// The number itself.
    pub(crate) fn get(self) -> u32 {
        self.0
    }

    /// The number as a terminal measure. Callers use bounds that fit.
    pub(crate) fn cells(self) -> u16 {
        u16::try_from(self.0).unwrap_or(u16::MAX)
    }
}

impl<'de, const MIN: u32, const MAX: u32> Deserialize<'de> for Whole<MIN, MAX> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = serde_json::Number::deserialize(deserializer)?;
        whole(&number).filter(|value| (MIN..=MAX).contains(value)).map(Self).ok_or_else(|| {
            D::Error::custom(format!("{number} is not a whole number from {MIN} to {MAX}"))
        })
    }
}

/// The number as `u32`, if it is a whole number of that range.
fn whole(number: &serde_json::Number) -> Option<u32> {
    if let Some(value) = number.as_u64() {
        return u32::try_from(value).ok();
    }
    let value = number.as_f64()?;
    let fits = value.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(&value);
    // The range was just checked, so the digits are all that is left.
    fits.then(|| format!("{value:.0}").trim_start_matches('-').parse().ok()).flatten()
}

impl<const MIN: u32, const MAX: u32> JsonSchema for Whole<MIN, MAX> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        format!("Whole{MIN}To{MAX}").into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "integer", "minimum": MIN, "maximum": MAX})
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<u32, String> {
        serde_json::from_str::<Whole<2, 9>>(text).map(Whole::get).map_err(|e| e.to_string())
    }

    #[test]
    fn bounds_are_included_and_enforced() {
        assert_eq!(parse("2"), Ok(2));
        assert_eq!(parse("9"), Ok(9));
        for outside in ["1", "10", "-3", "1e99", "4294967300"] {
            assert!(parse(outside).is_err(), "{outside}");
        }
    }

    #[test]
    fn a_float_without_fraction_is_whole() {
        assert_eq!(parse("3.0"), Ok(3));
        assert!(parse("3.5").is_err());
        assert!(parse("\"3\"").is_err());
        assert!(parse("null").is_err());
    }

    #[test]
    fn zero_may_come_with_a_sign() {
        assert_eq!(serde_json::from_str::<Whole<0, 9>>("-0.0").unwrap().get(), 0);
    }
}
