//! Simpler values for shrinking.

use serde_json::{Map, Number, Value};

use super::{Draw, cost, number, place::replaced, text};
use crate::schema::{
    CompiledSchema,
    plan::{NodeId, Numeric, Shape},
};

/// Candidates for one part.
const MAX_CANDIDATES: usize = 80;

/// Ways in which one list or object is cut.
const MAX_CUTS: usize = 64;

/// Simpler arguments: `value` with the part at `pointer` replaced, the simplest first.
///
/// Each costs strictly less than `value` (see [`super::cost`]) and is as valid or invalid as `value` is: an invalid one
/// keeps its first fault. Applying candidates until there are none ends.
pub fn simplify(schema: &CompiledSchema, value: &Value, pointer: &str) -> Vec<Value> {
    let Some(part) = value.pointer(pointer) else {
        return Vec::new();
    };
    let nodes = schema.plan().nodes_at(pointer);
    let mut parts = parts(schema, &nodes, part);
    let limit = cost(part);
    parts.retain(|candidate| cost(candidate) < limit);
    let mut seen: Vec<&Value> = Vec::new();
    let label = label(schema, value);
    let mut found = Vec::new();
    for candidate in &parts {
        if found.len() >= MAX_CANDIDATES || seen.contains(&candidate) {
            continue;
        }
        seen.push(candidate);
        let Some(whole) = replaced(value, pointer, candidate.clone()) else {
            continue;
        };
        if self::label(schema, &whole) == label {
            found.push(whole);
        }
    }
    found
}

/// What must not change: nothing for a valid value, else where and what the first fault is.
fn label(schema: &CompiledSchema, value: &Value) -> Option<(String, String)> {
    if schema.is_valid(value) {
        return None;
    }
    schema
        .violations(value)
        .into_iter()
        .next()
        .map(|violation| (violation.instance_pointer, violation.keyword))
}

fn parts(schema: &CompiledSchema, nodes: &[NodeId], part: &Value) -> Vec<Value> {
    let plan = schema.plan();
    let mut found: Vec<Value> = Vec::new();
    for id in nodes {
        match plan.shape(*id) {
            Shape::Fixed(values) => found.extend(values.iter().cloned()),
            Shape::Number(numeric) => {
                found.extend(number::simplest(numeric));
                found.extend(
                    part.as_number().map(|number| toward(number, numeric)).unwrap_or_default(),
                );
            }
            Shape::Text(shape) if part.is_string() => {
                found.extend(text::simplest(&[shape], &mut Draw::new(0)).map(Value::String));
            }
            _ => {}
        }
    }
    match part {
        Value::Null => {}
        Value::Bool(_) => found.push(Value::Bool(false)),
        Value::Number(number) => found.extend(toward(number, &Numeric::default())),
        Value::String(text) => found.extend(shorter_text(text)),
        Value::Array(items) => found.extend(shorter_lists(items).into_iter().map(Value::from)),
        Value::Object(object) => found.extend(smaller_objects(object).into_iter().map(Value::from)),
    }
    found
}

/// Numbers between a number and the simplest one of its shape, by bisection.
fn toward(number: &Number, numeric: &Numeric) -> Vec<Value> {
    let target = number::simplest(numeric).and_then(|value| value.as_i64()).unwrap_or(0);
    let mut found = vec![Value::from(target)];
    if let Some(from) = number.as_i64() {
        let mut distance = i128::from(from) - i128::from(target);
        while distance.abs() > 1 {
            distance /= 2;
            found.extend(i64::try_from(i128::from(from) - distance).ok().map(Value::from));
        }
        found.extend(from.checked_neg().filter(|_| from < 0).map(Value::from));
        return found;
    }
    let from = number.as_f64().unwrap_or(0.0);
    for candidate in [from.trunc(), from.abs().trunc(), (from * 10.0).trunc() / 10.0] {
        let is_whole = candidate.fract() == 0.0 && candidate.abs() < 9e15;
        if is_whole {
            #[allow(clippy::cast_possible_truncation)]
            found.push(Value::from(candidate as i64));
        }
        found.push(Value::from(candidate));
    }
    let mut half = from / 2.0;
    while half.abs() > 1.0 {
        found.push(Value::from(half.trunc()));
        half /= 2.0;
    }
    found
}

/// Shorter texts first, then plainer ones of the same length.
fn shorter_text(text: &str) -> Vec<Value> {
    let chars: Vec<char> = text.chars().collect();
    let length = chars.len();
    let part = |from: usize, to: usize| Value::String(chars[from..to].iter().collect());
    let mut found = vec![Value::from(""), Value::from("a")];
    let mut keep = length / 2;
    while keep > 0 {
        found.push(part(0, keep));
        found.push(part(length - keep, length));
        keep /= 2;
    }
    // By bisection from the other side, too: 3/4, 7/8 …
    let mut cut = length / 4;
    while cut > 0 {
        found.push(part(0, length - cut));
        found.push(part(cut, length));
        cut /= 2;
    }
    if length <= 24 {
        for index in 0..length {
            let mut without = chars.clone();
            without.remove(index);
            found.push(Value::String(without.into_iter().collect()));
        }
    }
    found.push(Value::String("a".repeat(length)));
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { 'a' };
    found.push(Value::String(chars.iter().map(|c| plain(*c)).collect()));
    found.push(Value::String(text.to_lowercase()));
    if length <= 24 {
        for index in 0..length {
            let mut plainer = chars.clone();
            plainer[index] = 'a';
            found.push(Value::String(plainer.into_iter().collect()));
        }
    }
    found
}

/// The list without some of its elements.
fn shorter_lists(items: &[Value]) -> Vec<Vec<Value>> {
    let without = |from: usize, to: usize| [&items[..from], &items[to..]].concat();
    cuts(items.len()).into_iter().map(|(from, to)| without(from, to)).collect()
}

/// The object without some of its members.
fn smaller_objects(object: &Map<String, Value>) -> Vec<Map<String, Value>> {
    let without = |from: usize, to: usize| -> Map<String, Value> {
        let members = object.iter().enumerate();
        members
            .filter(|(index, _)| !(from..to).contains(index))
            .map(|(_, (name, value))| (name.clone(), value.clone()))
            .collect()
    };
    cuts(object.len()).into_iter().map(|(from, to)| without(from, to)).collect()
}

/// Which parts of a sequence to leave out, the largest first: all, halves, quarters, and so on down to single elements.
fn cuts(length: usize) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut size = length;
    while size > 0 && found.len() < MAX_CUTS {
        let starts = (0..length).step_by(size);
        found.extend(starts.map(|from| (from, (from + size).min(length))));
        size /= 2;
    }
    found.truncate(MAX_CUTS);
    found
}
