//! Invalid arguments: valid ones with exactly one named fault.

use crate::pointer::Places;
use serde_json::Value;
use std::rc::Rc;

use super::{
    Draw,
    fault::{fault, faults, listed},
};
use crate::schema::CompiledSchema;

/// Arguments with one fault.
#[derive(Debug, Clone, PartialEq)]
pub struct Mutated {
    /// The whole arguments object.
    pub value: Value,
    /// JSON Pointer of the faulty part; for a missing or undeclared property, of the object.
    pub pointer: String,
    /// The keyword that is broken.
    pub keyword: String,
    /// The fault in words, for example "required property id left out".
    pub mutation: String,
    /// Whether many servers convert the faulty value silently (`"10"` for 10): no sign of a missing check.
    pub coercible: bool,
    /// Whether the value is invalid only if formats are asserted, which servers need not do.
    pub advisory: bool,
}

/// Valid arguments with one random fault; `None` if `base` cannot be broken.
pub fn negative(schema: &CompiledSchema, base: &Value, draw: &mut Draw) -> Option<Mutated> {
    let mut faults = listed(schema, base);
    draw.shuffle(&mut faults);
    faults.into_iter().find_map(|fault| fault.apply(schema, base))
}

/// Valid arguments with the fault that `cost` ranks lowest among those that break them, and what is counted as the same fault; of
/// equals a random one, and its rank. Only the one that is chosen is made.
pub(crate) fn least_negative<C: Ord>(
    schema: &CompiledSchema,
    base: &Value,
    draw: &mut Draw,
    mut cost: impl FnMut(&Fault, &str) -> C,
) -> Option<(Mutated, String, C)> {
    let mut faults = listed(schema, base);
    draw.shuffle(&mut faults);
    let mut place = String::new();
    let mut ranked: Vec<(C, Fault)> = faults
        .into_iter()
        .map(|fault| {
            fault.write_place(&mut place);
            (cost(&fault, &place), fault)
        })
        .collect();
    ranked.sort_by(|(a, _), (b, _)| a.cmp(b));
    ranked.into_iter().find_map(|(cost, fault)| {
        fault.write_place(&mut place);
        Some((fault.apply(schema, base)?, std::mem::take(&mut place), cost))
    })
}

/// Every fault that is known for `base`, in the order of its parts.
pub fn negatives(schema: &CompiledSchema, base: &Value) -> Vec<Mutated> {
    faults(schema, base).into_iter().filter_map(|fault| fault.apply(schema, base)).collect()
}

/// What is done to a part.
pub(crate) enum Edit {
    /// The part is replaced.
    Set(Value),
    /// A property is left out.
    Remove(String),
    /// A property is added or replaced.
    Insert(String, Value),
}

/// A fault that has not been tried yet.
pub(crate) struct Fault {
    pub(super) pointer: Rc<str>,
    pub(crate) keyword: &'static str,
    pub(super) coercible: bool,
    /// The property that is left out, if one is.
    pub(super) property: Option<String>,
    /// Its number among the faults that are counted as the same.
    pub(crate) nth: usize,
    /// Its place among all faults of the value.
    pub(super) number: usize,
    /// In words, and what is done; none until it is wanted.
    pub(super) made: Option<(String, Edit)>,
}

impl Fault {
    /// Writes what is counted as the same fault: a keyword at a pointer; each property that is left out is one of its own.
    pub(super) fn write_place(&self, place: &mut String) {
        place.clear();
        place.push_str(self.keyword);
        place.push_str(&self.pointer);
        if let Some(property) = &self.property {
            place.push(' ');
            place.push_str(property);
        }
    }

    /// Whether many servers convert the value, or need not check it.
    pub(crate) fn is_weak(&self) -> bool {
        self.coercible || self.keyword == "format"
    }

    /// The broken arguments, if the validator agrees that they are.
    fn apply(self, schema: &CompiledSchema, base: &Value) -> Option<Mutated> {
        let made = self.made.or_else(|| fault(schema, base, self.number)?.made);
        let (mutation, edit) = made?;
        let mut value = base.clone();
        let part = value.place_mut(&self.pointer)?;
        match edit {
            Edit::Set(new) => *part = new,
            Edit::Remove(name) => {
                part.as_object_mut()?.shift_remove(&name)?;
            }
            Edit::Insert(name, new) => {
                part.as_object_mut()?.insert(name, new);
            }
        }
        let is_format = self.keyword == "format";
        let is_broken = if is_format {
            schema.is_valid(&value) && !schema.is_valid_input(&value)
        } else {
            !schema.is_valid(&value)
        };
        let keyword =
            if is_broken { broken_keyword(schema, &value, self.keyword) } else { String::new() };
        is_broken.then_some(Mutated {
            value,
            pointer: self.pointer.to_string(),
            keyword,
            mutation,
            coercible: self.coercible,
            advisory: is_format,
        })
    }
}

/// The keyword that was meant to be broken, or the one that is, where the schema says it in another way.
fn broken_keyword(schema: &CompiledSchema, value: &Value, meant: &str) -> String {
    let broken: Vec<String> =
        schema.violations(value).into_iter().map(|violation| violation.keyword).collect();
    let is_applicator = |keyword: &String| {
        ["anyOf", "oneOf", "allOf", "not", "if", "$ref", "falseSchema"].contains(&keyword.as_str())
    };
    match broken.first() {
        Some(first) if !broken.iter().any(|keyword| keyword == meant) && !is_applicator(first) => {
            first.clone()
        }
        _ => meant.to_owned(),
    }
}
