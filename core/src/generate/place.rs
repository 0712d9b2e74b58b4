//! Parts of values, by JSON Pointer.

use crate::pointer::Places;
use serde_json::Value;

/// A copy of `value` with the part at `pointer` replaced; `None` if there is no such part.
pub(super) fn replaced(value: &Value, pointer: &str, part: Value) -> Option<Value> {
    let mut copy = value.clone();
    *copy.place_mut(pointer)? = part;
    Some(copy)
}
