//! Guards against deep nesting: how deep a value is, and a larger stack for the deep ones.

use serde_json::Value;

/// Schemas nested more deeply than this are refused: no real schema is, and every compiler recurses.
pub(super) const MAX_SCHEMA_DEPTH: usize = 256;

/// Up to this depth the caller's stack is enough.
pub(super) const SHALLOW: usize = 32;

/// Stack per level of nesting on the helper thread. Unoptimised builds of the validator need the most.
const STACK_PER_LEVEL: usize = 128 * 1024;

/// The largest stack asked for. Only touched pages cost memory.
const MAX_STACK: usize = 512 * 1024 * 1024;

/// Whether `value` is nested more than `limit` levels deep. Looks no deeper than `limit`.
pub(super) fn deeper_than(value: &Value, limit: usize) -> bool {
    match value {
        Value::Array(items) => limit == 0 || items.iter().any(|item| deeper_than(item, limit - 1)),
        Value::Object(members) => {
            limit == 0 || members.values().any(|item| deeper_than(item, limit - 1))
        }
        _ => false,
    }
}

/// The depth of `value`, found without recursion.
fn depth(value: &Value) -> usize {
    let mut deepest = 0;
    let mut open = vec![(value, 0)];
    while let Some((value, level)) = open.pop() {
        deepest = deepest.max(level);
        match value {
            Value::Array(items) => open.extend(items.iter().map(|item| (item, level + 1))),
            Value::Object(members) => open.extend(members.values().map(|item| (item, level + 1))),
            _ => {}
        }
    }
    deepest
}

/// The depth of `value`, if it is so deep that following it needs a larger stack.
pub(super) fn deep(value: &Value) -> Option<usize> {
    deeper_than(value, SHALLOW).then(|| depth(value))
}

/// Runs `work`, which recurses as many levels deep as told, on a stack that is large enough; on the caller's for `None`.
/// `None` if no such stack can be had or `work` panicked.
pub(super) fn with_levels<T: Send>(
    levels: Option<usize>,
    work: impl FnOnce() -> T + Send,
) -> Option<T> {
    let Some(levels) = levels else {
        return Some(work());
    };
    let size = (levels * STACK_PER_LEVEL).min(MAX_STACK);
    std::thread::scope(|scope| {
        std::thread::Builder::new().stack_size(size).spawn_scoped(scope, work).ok()?.join().ok()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn depth_counts_levels_of_containers() {
        assert_eq!(depth(&json!(1)), 0);
        assert_eq!(depth(&json!({"a": [1]})), 2);
        assert!(deeper_than(&json!([[1]]), 1));
        assert!(!deeper_than(&json!([[1]]), 2));
    }

    #[test]
    fn deep_work_gets_a_larger_stack() {
        let mut value = json!(0);
        for _ in 0..1_000 {
            value = json!([value]);
        }
        assert_eq!(with_levels(deep(&value), || depth(&value)), Some(1_000));
    }
}
