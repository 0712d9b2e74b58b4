//! Fresh values: numbers and words within a schema's bounds, written straight into a request.

use crate::generate::Draw;
use serde_json::Value;

/// Numbers without bounds stay below this power of two.
const WIDEST: u64 = 31;
/// Words are that much longer than they need to be, at most.
const LONGER: usize = 24;
const LETTERS: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz 01-_a";
const OTHERS: &[u8; 32] = b"ABCDEFGHIJKLMNOPQR!#$%&()*+,./:;";

/// Where fresh values come from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Fresh {
    /// Whole numbers, or with `parts` others, too, within bounds where there are any.
    Number { low: Option<i64>, high: Option<i64>, parts: bool },
    /// Words of so many characters.
    Text { shortest: usize, longest: usize },
}

impl Fresh {
    /// What a property's schema says, where that is no more than a type and bounds.
    pub(super) fn of(schema: &Value) -> Option<Self> {
        const KNOWN: &[&str] = &[
            "type",
            "title",
            "description",
            "default",
            "examples",
            "minimum",
            "maximum",
            "exclusiveMinimum",
            "exclusiveMaximum",
            "minLength",
            "maxLength",
        ];
        let members = schema.as_object()?;
        if !members.keys().all(|name| KNOWN.contains(&name.as_str())) {
            return None;
        }
        let length = |name: &str| members.get(name).and_then(Value::as_u64);
        let of = |name: &str| members.get(name).and_then(Value::as_f64);
        // Bounds that older dialects write as a flag.
        if ["exclusiveMinimum", "exclusiveMaximum"]
            .iter()
            .any(|name| members.get(*name).is_some_and(Value::is_boolean))
        {
            return None;
        }
        match members.get("type")?.as_str()? {
            "string" => {
                let shortest = usize::try_from(length("minLength").unwrap_or(0)).ok()?;
                let longest = length("maxLength")
                    .map_or(Some(usize::MAX), |length| usize::try_from(length).ok())?;
                (shortest <= longest && shortest < 512)
                    .then(|| Self::Text { shortest, longest: longest.min(shortest + LONGER) })
            }
            kind @ ("integer" | "number") => {
                let low = [
                    of("minimum").map(f64::ceil),
                    of("exclusiveMinimum").map(|low| low.floor() + 1.0),
                ];
                let high = [
                    of("maximum").map(f64::floor),
                    of("exclusiveMaximum").map(|high| high.ceil() - 1.0),
                ];
                let low = low.into_iter().flatten().reduce(f64::max).map(whole);
                let high = high.into_iter().flatten().reduce(f64::min).map(whole);
                let some = low.zip(high).is_none_or(|(low, high)| low <= high);
                some.then_some(Self::Number { low, high, parts: kind == "number" })
            }
            _ => None,
        }
    }

    /// Writes a value.
    pub(super) fn write(self, out: &mut Vec<u8>, draw: &mut Draw) {
        match self {
            Self::Number { low, high, parts } => number(out, draw, (low, high), parts),
            Self::Text { shortest, longest } => text(out, draw, shortest, longest),
        }
    }
}

/// A bound as a whole number that every reader of JSON keeps.
#[expect(clippy::cast_possible_truncation, reason = "it is clamped")]
fn whole(bound: f64) -> i64 {
    const MOST: f64 = 9_007_199_254_740_991.0;
    bound.clamp(-MOST, MOST) as i64
}

fn number(
    out: &mut Vec<u8>,
    draw: &mut Draw,
    (low, high): (Option<i64>, Option<i64>),
    parts: bool,
) {
    let size = || 1_u64 << WIDEST;
    let far =
        |draw: &mut Draw| i64::try_from((draw.bits() % size()) >> draw.below(WIDEST)).unwrap_or(0);
    let value = match (low, high) {
        (Some(low), Some(high)) => {
            let span = high.abs_diff(low).saturating_add(1);
            low.saturating_add_unsigned(draw.below(span))
        }
        (Some(low), None) => low.saturating_add(far(draw)),
        (None, Some(high)) => high.saturating_sub(far(draw)),
        (None, None) => {
            let value = far(draw);
            if draw.below(4) == 0 { -value } else { value }
        }
    };
    out.extend_from_slice(itoa::Buffer::new().format(value).as_bytes());
    // Between this number and the next one away from zero, where that is within the bounds.
    let next = if value < 0 {
        low.is_none_or(|low| value > low)
    } else {
        high.is_none_or(|high| value < high)
    };
    if parts && next && value != 0 && draw.below(2) == 0 {
        let digit = |draw: &mut Draw| b'0' + u8::try_from(draw.below(10)).unwrap_or(0);
        out.extend_from_slice(&[b'.', digit(draw), digit(draw)]);
    }
}

fn text(out: &mut Vec<u8>, draw: &mut Draw, shortest: usize, longest: usize) {
    let length = draw.range(shortest, longest);
    let others = draw.below(8) == 0;
    out.push(b'"');
    let mut bits = 0;
    for at in 0..length {
        if at % 10 == 0 {
            bits = draw.bits();
        }
        let from = if others && bits & 32 != 0 { OTHERS } else { LETTERS };
        out.push(from[usize::try_from(bits & 31).unwrap_or(0)]);
        bits >>= 6;
    }
    out.push(b'"');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::{CompiledSchema, Dialect};
    use serde_json::json;

    #[test]
    fn fresh_values_are_valid() {
        let schemas = [
            json!({"type": "integer", "minimum": 0, "maximum": 1000}),
            json!({"type": "integer", "exclusiveMinimum": -3, "exclusiveMaximum": 0}),
            json!({"type": "integer", "maximum": -5}),
            json!({"type": "integer"}),
            json!({"type": "number", "minimum": 0.5, "maximum": 2.5}),
            json!({"type": "number", "exclusiveMinimum": 0, "maximum": 1}),
            json!({"type": "number", "description": "any"}),
            json!({"type": "string", "minLength": 3, "maxLength": 5}),
            json!({"type": "string", "maxLength": 0}),
            json!({"type": "string"}),
        ];
        let mut draw = Draw::new(1);
        for schema in schemas {
            let fresh = Fresh::of(&schema).expect("it has fresh values");
            let compiled =
                CompiledSchema::compile(&schema, Dialect::Draft202012).expect("a schema");
            for _ in 0..500 {
                let mut out = Vec::new();
                fresh.write(&mut out, &mut draw);
                let value: Value = serde_json::from_slice(&out).expect("JSON");
                assert!(compiled.is_valid(&value), "{value} against {schema}");
            }
        }
    }

    #[test]
    fn what_says_more_than_bounds_has_none() {
        for schema in [
            json!({"type": "string", "format": "date"}),
            json!({"type": "string", "enum": ["a"]}),
            json!({"type": "integer", "multipleOf": 3}),
            json!({"type": ["string", "null"]}),
            json!({"type": "integer", "minimum": 3, "maximum": 2}),
            json!({"type": "number", "minimum": 0.2, "maximum": 0.8}),
            json!({"type": "boolean"}),
            json!(true),
        ] {
            assert_eq!(Fresh::of(&schema), None, "{schema}");
        }
    }
}
