//! Invalid arguments: valid ones with exactly one named fault.

use serde_json::Value;

use super::{Draw, fault::faults};
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
    let mut faults = faults(schema, base);
    draw.shuffle(&mut faults);
    faults.into_iter().find_map(|fault| fault.apply(schema, base))
}

/// Every fault that is known for `base`, in the order of its parts.
pub fn negatives(schema: &CompiledSchema, base: &Value) -> Vec<Mutated> {
    faults(schema, base).into_iter().filter_map(|fault| fault.apply(schema, base)).collect()
}

/// What is done to a part.
pub(super) enum Edit {
    /// The part is replaced.
    Set(Value),
    /// A property is left out.
    Remove(String),
    /// A property is added or replaced.
    Insert(String, Value),
}

/// A fault that has not been tried yet.
pub(super) struct Fault {
    pub(super) pointer: String,
    pub(super) keyword: &'static str,
    pub(super) mutation: String,
    pub(super) coercible: bool,
    pub(super) edit: Edit,
}

impl Fault {
    /// The broken arguments, if the validator agrees that they are.
    fn apply(self, schema: &CompiledSchema, base: &Value) -> Option<Mutated> {
        let mut value = base.clone();
        let part = value.pointer_mut(&self.pointer)?;
        match self.edit {
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
            pointer: self.pointer,
            keyword,
            mutation: self.mutation,
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
