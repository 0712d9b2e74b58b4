//! Exact decimal numbers: bounds and divisors of numeric schemas, free of binary rounding.

use std::cmp::Ordering;

use serde_json::{Number, Value};

/// `mantissa` × 10^`exponent`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Decimal {
    mantissa: i128,
    exponent: i32,
}

impl Decimal {
    pub(crate) const ONE: Self = Self::integer(1);

    /// A whole number.
    pub(crate) const fn integer(value: i128) -> Self {
        Self { mantissa: value, exponent: 0 }
    }

    /// 10^-`places`.
    pub(crate) const fn unit(places: i32) -> Self {
        Self { mantissa: 1, exponent: -places }
    }

    /// The value of a JSON number as its shortest decimal text has it: `0.01` is exactly one hundredth.
    pub(crate) fn from_number(number: &Number) -> Option<Self> {
        if let Some(value) = number.as_i64() {
            return Some(Self::integer(i128::from(value)));
        }
        if let Some(value) = number.as_u64() {
            return Some(Self::integer(i128::from(value)));
        }
        let value = number.as_f64().filter(|value| value.is_finite())?;
        Self::parse(&format!("{value:e}"))
    }

    /// Reads `-1.5e-3` and the like.
    fn parse(text: &str) -> Option<Self> {
        let (digits, exponent) = text.split_once('e')?;
        let exponent: i32 = exponent.parse().ok()?;
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let mantissa: i128 = format!("{whole}{fraction}").parse().ok()?;
        let places = i32::try_from(fraction.len()).ok()?;
        Some(Self { mantissa, exponent: exponent - places }.reduced())
    }

    /// Without trailing zeros in the mantissa.
    fn reduced(mut self) -> Self {
        if self.mantissa == 0 {
            return Self::integer(0);
        }
        while self.mantissa % 10 == 0 {
            self.mantissa /= 10;
            self.exponent += 1;
        }
        self
    }

    /// The mantissa at a smaller exponent.
    fn at(self, exponent: i32) -> Option<i128> {
        let shift = u32::try_from(self.exponent.checked_sub(exponent)?).ok()?;
        self.mantissa.checked_mul(10_i128.checked_pow(shift)?)
    }

    /// Both mantissas at a common exponent, and that exponent.
    fn aligned(self, other: Self) -> Option<(i128, i128, i32)> {
        let exponent = self.exponent.min(other.exponent);
        Some((self.at(exponent)?, other.at(exponent)?, exponent))
    }

    /// As the nearest binary number.
    #[allow(clippy::cast_precision_loss)]
    pub(crate) fn to_f64(self) -> f64 {
        if self.exponent == 0 {
            return self.mantissa as f64;
        }
        format!("{}e{}", self.mantissa, self.exponent).parse().unwrap_or(f64::NAN)
    }

    /// As a JSON number: an integer where it is one and fits, else a float; `None` if not finite.
    pub(crate) fn to_value(self) -> Option<Value> {
        if let Some(whole) = self.to_integer() {
            if let Ok(value) = i64::try_from(whole) {
                return Some(Value::from(value));
            }
            if let Ok(value) = u64::try_from(whole) {
                return Some(Value::from(value));
            }
        }
        Number::from_f64(self.to_f64()).map(Value::Number)
    }

    /// The whole number, if it is one that fits.
    pub(crate) fn to_integer(self) -> Option<i128> {
        if self.exponent >= 0 {
            return self.at(0);
        }
        let divisor = 10_i128.checked_pow(self.exponent.unsigned_abs());
        match divisor {
            Some(divisor) if self.mantissa % divisor == 0 => Some(self.mantissa / divisor),
            _ => (self.mantissa == 0).then_some(0),
        }
    }

    /// `self` × `factor`.
    pub(crate) fn times(self, factor: i128) -> Option<Self> {
        Some(Self { mantissa: self.mantissa.checked_mul(factor)?, exponent: self.exponent })
    }

    /// `self` + `other`.
    pub(crate) fn plus(self, other: Self) -> Option<Self> {
        let (a, b, exponent) = self.aligned(other)?;
        Some(Self { mantissa: a.checked_add(b)?, exponent })
    }

    /// `self` / 2.
    pub(crate) fn half(self) -> Option<Self> {
        Some(Self {
            mantissa: self.mantissa.checked_mul(5)?,
            exponent: self.exponent.checked_sub(1)?,
        })
    }

    /// The largest `k` with `step` × `k` ≤ `self`, and whether it is equal. `None` if out of range or `step` is not positive.
    pub(crate) fn steps_below(self, step: Self) -> Option<(i128, bool)> {
        if step.mantissa <= 0 {
            return None;
        }
        let (value, step, _) = self.aligned(step)?;
        Some((value.div_euclid(step), value.rem_euclid(step) == 0))
    }

    /// Whether `self` is a multiple of `step`; `None` if that cannot be told exactly.
    pub(crate) fn is_multiple_of(self, step: Self) -> Option<bool> {
        self.steps_below(step).map(|(_, exact)| exact)
    }

    /// The least common multiple of two positive steps.
    pub(crate) fn common_multiple(self, other: Self) -> Option<Self> {
        let (a, b, exponent) = self.aligned(other)?;
        let divisor = greatest_common_divisor(a, b);
        if divisor == 0 {
            return None;
        }
        Some(Self { mantissa: (a / divisor).checked_mul(b)?.checked_abs()?, exponent })
    }

    /// The power of ten that the last digit stands for.
    pub(crate) const fn exponent(self) -> i32 {
        self.exponent
    }

    /// Whether the number is positive.
    pub(crate) const fn is_positive(self) -> bool {
        self.mantissa > 0
    }
}

fn greatest_common_divisor(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    i128::try_from(a).unwrap_or(0)
}

impl PartialEq for Decimal {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Decimal {}

impl PartialOrd for Decimal {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Decimal {
    fn cmp(&self, other: &Self) -> Ordering {
        match self.aligned(*other) {
            Some((a, b, _)) => a.cmp(&b),
            None => self.to_f64().total_cmp(&other.to_f64()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn decimal(value: &Value) -> Decimal {
        Decimal::from_number(value.as_number().unwrap()).unwrap()
    }

    #[test]
    fn hundredths_are_exact() {
        let step = decimal(&json!(0.01));
        assert_eq!(step.times(123).unwrap().to_value(), Some(json!(1.23)));
        assert_eq!(decimal(&json!(4.35)).is_multiple_of(step), Some(true));
        assert_eq!(decimal(&json!(4.355)).is_multiple_of(step), Some(false));
        assert_eq!(decimal(&json!(-0.005)).steps_below(step), Some((-1, false)));
    }

    #[test]
    fn common_multiples_of_unlike_scales() {
        let (a, b) = (decimal(&json!(0.4)), decimal(&json!(6)));
        assert_eq!(a.common_multiple(b).and_then(Decimal::to_value), Some(json!(6)));
    }

    #[test]
    fn huge_and_tiny_numbers_compare() {
        assert!(decimal(&json!(1e300)) > decimal(&json!(-1e300)));
        assert!(decimal(&json!(1e-300)) > decimal(&json!(0)));
        assert_eq!(decimal(&json!(1e300)).to_value(), Some(json!(1e300)));
        assert_eq!(decimal(&json!(u64::MAX)).to_value(), Some(json!(u64::MAX)));
    }
}
