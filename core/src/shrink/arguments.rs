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
    }
    let exhausted = attempts.may_go_on();
    (best, exhausted)
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
        let most = if pointer.is_empty() { 8 } else { 5 };
        simplify(schema, arguments, &pointer).into_iter().take(most)
    })
}
