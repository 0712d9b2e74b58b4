//! Simplifying arguments: fewer optional members, shorter strings and arrays, smaller numbers, with each step keeping its label.

use super::{Attempts, Shown};
use crate::case::{Action, Label, Role};
use crate::generate::simplify;
use crate::pointer::children;
use crate::schema::CompiledSchema;
use serde_json::Value;

/// Simplifies the arguments of every step, the failing one first. Tells whether nothing simpler is left to try.
pub(crate) fn shrink(attempts: &mut Attempts<'_, '_>, mut best: Shown) -> (Shown, bool) {
    let mut order: Vec<usize> = (0..best.execution.case.steps.len()).rev().collect();
    let failing = best.failing_step();
    order.sort_by_key(|index| *index != failing);
    for index in order {
        loop {
            if !attempts.may_go_on() {
                return (best, false);
            }
            match simpler(attempts, &best, index) {
                Some(shown) => best = shown,
                None => break,
            }
        }
        best = bisected(attempts, best, index);
    }
    let exhausted = attempts.may_go_on();
    (best, exhausted)
}

/// Each whole number and string of a step at the smallest value (length) that shows the fault, by bisection between the simplest
/// value, which does not, and the one at hand.
fn bisected(attempts: &mut Attempts<'_, '_>, mut best: Shown, index: usize) -> Shown {
    let arguments = best.execution.case.steps[index].action.arguments().cloned();
    for pointer in arguments.as_ref().map(crate::pointer::scalars).unwrap_or_default() {
        let Some((mut low, mut high)) = range(attempts, &best, index, &pointer) else {
            continue;
        };
        while (high - low).abs() > 1 && attempts.may_go_on() {
            let middle = low + (high - low) / 2;
            match resized(attempts, &best, index, &pointer, middle) {
                Some(shown) => (best, high) = (shown, middle),
                None => low = middle,
            }
        }
    }
    best
}

/// The size of the simplest value at `pointer` and of the one at hand, where values between them are worth a try.
fn range(
    attempts: &Attempts<'_, '_>,
    best: &Shown,
    index: usize,
    pointer: &str,
) -> Option<(i64, i64)> {
    let step = best.execution.case.steps.get(index)?;
    let Action::CallTool { tool, arguments } = &step.action else {
        return None;
    };
    if step.label == Label::Unknown || step.bindings.iter().any(|b| b.at == *pointer) {
        return None;
    }
    let schema = attempts.worker.judge.catalog.tool(tool)?.input_schema()?;
    let value = arguments.pointer(pointer)?;
    let simplest = simplify(schema, arguments, pointer).into_iter().next()?;
    match (value, simplest.pointer(pointer)?) {
        (Value::Number(high), Value::Number(low)) => Some((low.as_i64()?, high.as_i64()?)),
        (Value::String(high), Value::String(low)) => {
            let length = |text: &str| i64::try_from(text.chars().count()).ok();
            Some((length(low)?, length(high)?)).filter(|(low, high)| high > low)
        }
        _ => None,
    }
}

/// The case with the number at `pointer` replaced, or the string cut, if that shows the fault and breaks no more rules than before.
fn resized(
    attempts: &mut Attempts<'_, '_>,
    best: &Shown,
    index: usize,
    pointer: &str,
    size: i64,
) -> Option<Shown> {
    let mut smaller = best.execution.case.clone();
    let Action::CallTool { tool, arguments } = &mut smaller.steps.get_mut(index)?.action else {
        return None;
    };
    let schema = attempts.worker.judge.catalog.tool(tool)?.input_schema()?;
    let first = |value: &Value| {
        schema.violations(value).into_iter().next().map(|v| (v.instance_pointer, v.keyword))
    };
    let before = first(arguments);
    let slot = arguments.pointer_mut(pointer)?;
    *slot = match slot {
        Value::String(text) => {
            Value::from(text.chars().take(usize::try_from(size).ok()?).collect::<String>())
        }
        _ => Value::from(size),
    };
    if first(arguments) != before {
        return None;
    }
    attempts.show(&smaller)
}

/// The first simpler version of a step's arguments that still shows the fault.
fn simpler(attempts: &mut Attempts<'_, '_>, best: &Shown, index: usize) -> Option<Shown> {
    let case = &best.execution.case;
    let step = case.steps.get(index)?;
    let Action::CallTool { tool, arguments } = &step.action else {
        return None;
    };
    if step.label == Label::Unknown {
        return None;
    }
    let catalog = attempts.worker.judge.catalog;
    let schema = catalog.tool(tool)?.input_schema()?;
    let bound: Vec<&str> = step.bindings.iter().map(|binding| binding.at.as_str()).collect();
    for candidate in candidates(schema, arguments) {
        if !attempts.may_go_on() {
            return None;
        }
        let mut smaller = case.clone();
        let step = &mut smaller.steps[index];
        // A bound value is given, not chosen; it may go with the member that holds it, but not change.
        let changed = bound.iter().any(|at| {
            candidate.pointer(at).is_some_and(|value| Some(value) != arguments.pointer(at))
        });
        if changed {
            continue;
        }
        step.bindings.retain(|binding| candidate.pointer(&binding.at).is_some());
        // A value that is no longer at its edge is not reported as one.
        if let Role::Boundary { pointer, .. } = &step.role
            && candidate.pointer(pointer) != arguments.pointer(pointer)
        {
            step.role = Role::Call;
        }
        step.action = Action::CallTool { tool: tool.clone(), arguments: candidate };
        if let Some(shown) = attempts.show(&smaller) {
            return Some(shown);
        }
    }
    None
}

/// Simpler versions of arguments: the whole first, then each part, some of each.
fn candidates(schema: &CompiledSchema, arguments: &Value) -> impl Iterator<Item = Value> {
    let mut pointers = vec![String::new()];
    let mut at = 0;
    while at < pointers.len() && pointers.len() < 64 {
        let below = arguments.pointer(&pointers[at]).map(|part| children(part, &pointers[at]));
        pointers.extend(below.unwrap_or_default());
        at += 1;
    }
    pointers.into_iter().flat_map(|pointer| {
        // Bisection does the rest.
        let most = if pointer.is_empty() { 8 } else { 4 };
        simplify(schema, arguments, &pointer).into_iter().take(most)
    })
}
