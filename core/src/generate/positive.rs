//! Random valid arguments.

use serde_json::Value;

use super::{Bias, Draw, fixed, maker::Maker};
use crate::schema::CompiledSchema;

/// Values built before the fallbacks are tried.
const TRIES: u32 = 20;

/// Tries that may use hints and offers.
const TRIES_WITH_OFFERS: u32 = 6;

/// Random valid arguments, and what is special about them.
#[derive(Debug, Clone, PartialEq)]
pub struct Positive {
    /// The arguments: always an object.
    pub value: Value,
    /// The offers that were used.
    pub taken: Vec<Taken>,
    /// The naughty strings that are in it.
    pub tags: Vec<Tag>,
}

/// An offer that was used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Taken {
    /// JSON Pointer in the arguments.
    pub pointer: String,
    /// The provider's number for where the value is from.
    pub source: u64,
}

/// A naughty string.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tag {
    /// JSON Pointer in the arguments.
    pub pointer: String,
    /// What is special about it, for example `astral`.
    pub label: &'static str,
}

/// Random arguments that are valid; `None` if none could be built.
pub fn positive(schema: &CompiledSchema, draw: &mut Draw, bias: &Bias) -> Option<Value> {
    positive_traced(schema, draw, bias).map(|positive| positive.value)
}

/// As [`positive`], with the offers that were used and the tags of naughty strings.
pub fn positive_traced(schema: &CompiledSchema, draw: &mut Draw, bias: &Bias) -> Option<Positive> {
    for attempt in 0..TRIES {
        let mut maker = Maker::new(schema, draw, bias, attempt < TRIES_WITH_OFFERS);
        let root = maker.parameters.root();
        let Some(value) = maker.place(&[maker.plan.root], root) else {
            continue;
        };
        if schema.is_valid_input(&value) {
            return Some(Positive { value, taken: maker.taken, tags: maker.tags });
        }
    }
    fixed::fallback(schema).map(|value| Positive { value, taken: Vec::new(), tags: Vec::new() })
}
