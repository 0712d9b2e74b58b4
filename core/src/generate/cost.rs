//! How simple a value is: what shrinking makes smaller.

use serde_json::{Number, Value};

/// What a fraction adds to a number's weight, so that every whole number a person would write is simpler.
const FRACTION: u128 = 1 << 20;

/// The cost of a value: fewer parts first, then less text, then plainer scalars. There is no infinite descent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Cost {
    /// Values, at all levels. A container counts by its elements, so `[]` and `0` have one part each.
    pub parts: u64,
    /// Code points of all strings and of all property names.
    pub length: u64,
    /// Sum of the weights of the scalars: 0 for null, false, 0 and each `a`; more for `true`, large or negative numbers,
    /// fractions, and characters by their distance from `a`.
    pub weight: u128,
}

/// The cost of a value.
pub fn cost(value: &Value) -> Cost {
    let mut total = Cost::default();
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        total.parts += 1;
        match value {
            Value::Null | Value::Bool(false) => {}
            Value::Bool(true) => total.weight += 1,
            Value::Number(number) => total.weight = total.weight.saturating_add(weight(number)),
            Value::String(text) => {
                for c in text.chars() {
                    total.length += 1;
                    total.weight += char_weight(c);
                }
            }
            Value::Array(items) => open.extend(items),
            Value::Object(members) => {
                for (name, inner) in members {
                    total.length += name.chars().count() as u64;
                    open.push(inner);
                }
            }
        }
    }
    total
}

/// `a` 0, then the other small letters, digits, capitals, other printable ASCII, the rest by code point.
fn char_weight(c: char) -> u128 {
    let code = u128::from(u32::from(c));
    match c {
        'a'..='z' => code - u128::from(u32::from('a')),
        '0'..='9' => 26 + code,
        'A'..='Z' => 84 + code,
        ' '..='~' => 200 + code,
        _ => 400 + code,
    }
}

/// Twice the magnitude, one more for negative numbers, and a surcharge per digit after the point.
fn weight(number: &Number) -> u128 {
    if let Some(value) = number.as_i64() {
        return 2 * u128::from(value.unsigned_abs()) + u128::from(value < 0);
    }
    if let Some(value) = number.as_u64() {
        return 2 * u128::from(value);
    }
    let value = number.as_f64().unwrap_or(0.0);
    // Written as a float, a whole number is one step dearer than the integer.
    let digits = format!("{value}").split_once('.').map_or(0, |(_, places)| places.len());
    let sign = u128::from(value < 0.0);
    let fraction = FRACTION * (digits as u128) + 1;
    whole(value.abs()).saturating_mul(2).saturating_add(sign + fraction)
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
fn whole(value: f64) -> u128 {
    // Saturates for huge numbers.
    value as u128
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn simpler_values_cost_less() {
        let ladder = [
            json!(null),
            json!(true),
            json!(1),
            json!(-1),
            json!(2),
            json!(2.0),
            json!(100),
            json!(0.5),
            json!(0.25),
        ];
        for pair in ladder.windows(2) {
            assert!(cost(&pair[0]) < cost(&pair[1]), "{} < {}", pair[0], pair[1]);
        }
        let texts = ["", "a", "b", "0", "A", " ", "é", "aa", "zz", "aaa"];
        for pair in texts.windows(2) {
            assert!(cost(&json!(pair[0])) < cost(&json!(pair[1])), "{pair:?}");
        }
        assert!(cost(&json!({"a": "long text"})) < cost(&json!({"a": 0, "b": 0})));
    }
}
