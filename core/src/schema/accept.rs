//! Whether a part of a value has a shape: quick checks before the compiled validator judges the whole.

use crate::pointer::Members as _;
use serde_json::Value;

use super::{
    Decimal,
    plan::{Distinct, List, Members, NodeId, Numeric, Plan, Shape, Text},
};

/// Checks that one acceptance question may take before the answer is "yes, let the validator decide".
const ACCEPT_FUEL: u32 = 20_000;

/// Levels that one acceptance question may descend.
const ACCEPT_DEPTH: u32 = 200;

/// What is left of an acceptance question's allowance.
struct Fuel {
    checks: u32,
    levels: u32,
}

impl Plan {
    /// Whether `value` has the shape. "Yes" may be wrong for what the plan does not model; the validator has the last word.
    pub(crate) fn accepts(&self, id: NodeId, value: &Value) -> bool {
        let mut fuel = Fuel { checks: ACCEPT_FUEL, levels: ACCEPT_DEPTH };
        self.check(id, value, &mut fuel)
    }

    fn check(&self, id: NodeId, value: &Value, fuel: &mut Fuel) -> bool {
        if fuel.checks == 0 || fuel.levels == 0 {
            return true;
        }
        fuel.checks -= 1;
        fuel.levels -= 1;
        let accepted = self.check_shape(id, value, fuel);
        fuel.levels += 1;
        accepted
    }

    fn check_shape(&self, id: NodeId, value: &Value, fuel: &mut Fuel) -> bool {
        match self.shape(id) {
            Shape::Any => true,
            Shape::Never => false,
            Shape::Null => value.is_null(),
            Shape::Boolean => value.is_boolean(),
            Shape::Fixed(values) => values.iter().any(|fixed| same(fixed, value)),
            Shape::Text(text) => value.as_str().is_some_and(|value| text.accepts(value)),
            Shape::Number(numeric) => value
                .as_number()
                .and_then(Decimal::from_number)
                .is_some_and(|value| numeric.accepts(value)),
            Shape::Array(list) => {
                value.as_array().is_some_and(|items| self.check_list(list, items, fuel))
            }
            Shape::Object(members) => value.as_object().is_some_and(|object| {
                members.has_required(object.len(), |name| object.member(name).is_some())
                    && object
                        .iter()
                        .all(|(name, value)| self.check_member(members, name, value, fuel))
            }),
            Shape::Some(ids) => ids.iter().any(|id| self.check(*id, value, fuel)),
            Shape::One(ids) => {
                ids.iter().filter(|id| self.check(**id, value, fuel)).take(2).count() == 1
            }
            Shape::All(ids) => ids.iter().all(|id| self.check(*id, value, fuel)),
            Shape::Not(id, _) => !self.check(*id, value, fuel),
            Shape::Link(id) => self.check(*id, value, fuel),
        }
    }

    fn check_list(&self, list: &List, items: &[Value], fuel: &mut Fuel) -> bool {
        let fits = items.len() >= list.min && list.max.is_none_or(|max| items.len() <= max);
        fits && items.iter().enumerate().all(|(index, item)| self.check(list.at(index), item, fuel))
            && match list.distinct {
                Distinct::Free => true,
                Distinct::Unique => !has_equal(items),
                Distinct::SomeEqual => has_equal(items),
            }
            && list.contains.iter().all(|contains| {
                let count =
                    items.iter().filter(|item| self.check(contains.node, item, fuel)).count();
                count >= contains.min && contains.max.is_none_or(|max| count <= max)
            })
    }

    fn check_member(&self, members: &Members, name: &str, value: &Value, fuel: &mut Fuel) -> bool {
        if let Some(names) = members.names
            && !self.check(names, &Value::from(name), fuel)
        {
            return false;
        }
        members.claims(name).all(|node| self.check(node, value, fuel))
    }
}

impl Text {
    /// Whether a string has the shape.
    pub(crate) fn accepts(&self, text: &str) -> bool {
        let length = text.chars().count();
        length >= self.min
            && self.max.is_none_or(|max| length <= max)
            && self.patterns.iter().all(|pattern| pattern.matches(text))
            && !self.not_patterns.iter().any(|pattern| pattern.matches(text))
            && self.formats.accept(text)
            && !self.excluded.iter().any(|excluded| excluded == text)
    }
}

impl Numeric {
    /// Whether a number has the shape.
    pub(crate) fn accepts(&self, value: Decimal) -> bool {
        let above =
            self.min.is_none_or(|min| value > min.value || (!min.open && value == min.value));
        let below =
            self.max.is_none_or(|max| value < max.value || (!max.open && value == max.value));
        above
            && below
            && (!self.integer || value.to_integer().is_some())
            && self.step.is_none_or(|step| value.is_multiple_of(step).unwrap_or(true))
            && !self.not_steps.iter().any(|step| value.is_multiple_of(*step).unwrap_or(false))
    }
}

impl Members {
    fn has_required(&self, count: usize, has: impl Fn(&str) -> bool) -> bool {
        count >= self.min
            && self.max.is_none_or(|max| count <= max)
            && self.properties.iter().all(|property| !property.required || has(&property.name))
    }
}

/// Whether two values are equal as JSON Schema sees it: 1 and 1.0 are.
pub(crate) fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => {
            a == b
                || Decimal::from_number(a).zip(Decimal::from_number(b)).is_some_and(|(a, b)| a == b)
        }
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(name, a)| b.get(name).is_some_and(|b| same(a, b)))
        }
        _ => a == b,
    }
}

/// Whether two elements are equal.
pub(crate) fn has_equal(items: &[Value]) -> bool {
    items
        .iter()
        .enumerate()
        .any(|(index, item)| items[..index].iter().any(|other| same(item, other)))
}
