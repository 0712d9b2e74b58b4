//! The smallest and the fullest arguments, and examples.

use serde_json::Value;

use super::{Bias, Draw, maker::Maker};
use crate::schema::{CompiledSchema, Spot, plan::NodeId};

/// Examples of one schema.
const MAX_EXAMPLES: usize = 3;

/// The seed of values that must not depend on any: the same schema gives the same values in every run.
const SEED: u64 = 0;

/// Tries at a value of a shape.
const TRIES: u64 = 12;

/// Arguments with nothing optional. Required parameters take their example, default or best hint where they have one.
pub fn minimal(schema: &CompiledSchema) -> Option<Value> {
    with_optional(schema, 0.0)
}

/// Arguments with every property that can be there together.
pub fn maximal(schema: &CompiledSchema) -> Option<Value> {
    with_optional(schema, 1.0)
}

/// Up to three different arguments that are likely to succeed: the schema's own examples, the smallest, the fullest.
pub fn examples(schema: &CompiledSchema) -> Vec<Value> {
    let own = match schema.raw().get("examples") {
        Some(Value::Array(examples)) => examples.clone(),
        _ => Vec::new(),
    };
    let mut found: Vec<Value> = Vec::new();
    let candidates = own
        .into_iter()
        .chain(schema.raw().get("example").cloned())
        .chain(schema.raw().get("default").cloned())
        .filter(|value| schema.is_valid_input(value))
        .chain(minimal(schema))
        .chain(maximal(schema));
    for candidate in candidates {
        if found.len() < MAX_EXAMPLES && !found.contains(&candidate) {
            found.push(candidate);
        }
    }
    found
}

/// How much of what is optional is built.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fullness {
    /// Nothing.
    Least,
    /// Everything.
    Most,
    /// Nothing, and scalars are random ones of this turn.
    Random(u64),
}

fn with_optional(schema: &CompiledSchema, optional: f64) -> Option<Value> {
    let fullness = if optional > 0.5 { Fullness::Most } else { Fullness::Least };
    let root = schema.all_parameters().root();
    (0..TRIES)
        .filter_map(|turn| build(schema, schema.plan().root, root, fullness, turn))
        .find(|value| schema.is_valid_input(value))
        .or_else(|| fallback(schema))
}

/// The smallest or fullest value of a part of the schema; only as good as the plan.
pub(super) fn of_node(
    schema: &CompiledSchema,
    id: NodeId,
    spot: Option<Spot>,
    fullness: Fullness,
) -> Option<Value> {
    (0..TRIES).find_map(|turn| build(schema, id, spot, fullness, turn))
}

fn build(
    schema: &CompiledSchema,
    id: NodeId,
    spot: Option<Spot>,
    fullness: Fullness,
    turn: u64,
) -> Option<Value> {
    let random = match fullness {
        Fullness::Random(number) => Some(number),
        _ => None,
    };
    let mut draw = Draw::new(SEED).fork("fixed", turn + random.unwrap_or(0));
    let bias = Bias {
        optional: if fullness == Fullness::Most { 1.0 } else { 0.0 },
        size: 1,
        edges: 0.0,
        naughty: 0.0,
        hints: 1.0,
        extra: 0.0,
        provider: None,
    };
    let offers = turn < TRIES / 2 && random.is_none();
    let mut maker = Maker::new(schema, &mut draw, &bias, offers);
    maker.best_first = random.is_none();
    maker.place(&[id], spot)
}

/// What is left when sampling fails: examples and the empty object.
pub(super) fn fallback(schema: &CompiledSchema) -> Option<Value> {
    let own = match schema.raw().get("examples") {
        Some(Value::Array(examples)) => examples.as_slice(),
        _ => &[],
    };
    let raw = schema.raw();
    own.iter()
        .chain(raw.get("example"))
        .chain(raw.get("default"))
        .chain([&Value::Object(serde_json::Map::new())])
        .find(|value| value.is_object() && schema.is_valid(value))
        .cloned()
}
