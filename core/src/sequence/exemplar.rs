//! Exemplars: successful calls of each tool with just the steps they depend on, to be put together in new ways.

use crate::case::{Binding, Case, Phase, Role, Step};
use crate::lints::Execution;
use crate::shrink::Traced;
use std::collections::BTreeMap;

/// A successful call and what it depends on.
#[derive(Debug, Clone)]
pub(crate) struct Exemplar {
    /// The tool's position in the catalog.
    pub(crate) tool: usize,
    /// The steps; the call is the last.
    pub(crate) case: Case,
}

/// How many exemplars of a tool are kept.
const KEPT: usize = 3;
/// Longer dependencies are not worth repeating.
const LONGEST: usize = 8;

/// Exemplars by tool.
#[derive(Debug, Default)]
pub(crate) struct Exemplars {
    by_tool: BTreeMap<usize, Vec<Exemplar>>,
}

impl Exemplars {
    /// The exemplars of a tool, oldest first, all with different arguments.
    pub(crate) fn of(&self, tool: usize) -> &[Exemplar] {
        self.by_tool.get(&tool).map(Vec::as_slice).unwrap_or_default()
    }

    /// Whether more exemplars of a tool are wanted.
    pub(crate) fn wants(&self, tool: usize) -> bool {
        self.of(tool).len() < KEPT
    }

    /// Keeps the call at `step` of an execution, with those of the steps `opening` that were made before.
    pub(crate) fn keep(&mut self, tool: usize, traced: &Traced, step: usize, opening: &[usize]) {
        let case = traced.dependencies(step, opening);
        let kept = self.by_tool.entry(tool).or_default();
        let known = kept.iter().any(|other| {
            other.case.steps.last().map(|s| &s.action) == case.steps.last().map(|s| &s.action)
        });
        if !known && kept.len() < KEPT && case.steps.len() <= LONGEST {
            kept.push(Exemplar { tool, case });
        }
    }
}

/// Keeps the exemplary calls of a sequence, with the calls (`opening`) that its session needed first.
pub(crate) fn harvest(
    exemplars: &mut Exemplars,
    execution: &Execution,
    opening: &[usize],
    tool_of: impl Fn(&str) -> Option<usize>,
    fits: impl Fn(usize) -> bool,
) {
    let mut traced: Option<Traced> = None;
    for (at, step) in execution.case.steps.iter().enumerate().take(execution.exchanges.len()) {
        let Some(tool) =
            step.action.tool().and_then(&tool_of).filter(|tool| fits(at) && exemplars.wants(*tool))
        else {
            continue;
        };
        let traced = traced.get_or_insert_with(|| Traced::new(execution));
        exemplars.keep(tool, traced, at, opening);
    }
}

/// Two calls put together: what each depends on, then both, then looks. Returned three times: sent together, and in both orders.
/// The calls and the looks are about the same things, or where `apart`, the calls about two of each.
pub(crate) fn joined(
    a: &Exemplar,
    b: &Exemplar,
    views: &[Exemplar],
    apart: bool,
) -> Option<(Case, Case, Case)> {
    let mut builder = Builder { steps: Vec::new() };
    let a_call = builder.prefix(&a.case, Meet::Thing)?;
    let b_call = builder.prefix(&b.case, if apart { Meet::Nothing } else { Meet::Thing })?;
    let view_calls: Vec<Step> =
        views.iter().filter_map(|view| builder.prefix(&view.case, Meet::Thing)).collect();
    let prefix = builder.steps;
    let assemble = |calls: [&Step; 2], group: Option<u32>| {
        let mut steps = prefix.clone();
        steps.extend(calls.map(|call| Step { group, role: Role::Call, ..call.clone() }));
        steps.extend(view_calls.iter().cloned());
        Case { phase: Phase::Parallel, steps }
    };
    Some((
        assemble([&a_call, &b_call], Some(0)),
        assemble([&a_call, &b_call], None),
        assemble([&b_call, &a_call], None),
    ))
}

/// What each call depends on, then what `expand` makes of the call; one call after the other.
pub(crate) fn followed(exemplars: &[Exemplar], expand: impl Fn(&Step) -> Vec<Step>) -> Vec<Step> {
    let mut builder = Builder { steps: Vec::new() };
    for exemplar in exemplars {
        if let Some(call) = builder.prefix(&exemplar.case, Meet::Equal) {
            builder.steps.extend(expand(&call));
        }
    }
    builder.steps
}

/// Which earlier step does for one that a call depends on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Meet {
    /// A call of the same tool, whatever with: then both are about the same thing.
    Thing,
    /// An equal call.
    Equal,
    /// An equal call, unless values of its answer are used: then both are about things of their own.
    Nothing,
}

struct Builder {
    steps: Vec<Step>,
}

impl Builder {
    /// Adds a case's steps but the last, sharing those that are there already; returns the last with its bindings moved.
    fn prefix(&mut self, case: &Case, meet: Meet) -> Option<Step> {
        let mut moved: Vec<usize> = Vec::new();
        let mut last = None;
        for (number, step) in case.steps.iter().enumerate() {
            let bindings = step
                .bindings
                .iter()
                .filter_map(|b| Some(Binding { step: *moved.get(b.step)?, ..b.clone() }))
                .collect();
            let step = Step { bindings, role: Role::Call, group: None, ..step.clone() };
            if number + 1 == case.steps.len() {
                last = Some(step);
                break;
            }
            let used =
                case.steps.iter().any(|other| other.bindings.iter().any(|b| b.step == number));
            let same = |other: &Step| {
                let tool = step.action.tool().filter(|_| meet == Meet::Thing);
                let equal = *other == step && !(used && meet == Meet::Nothing);
                equal || (tool.is_some() && tool == other.action.tool())
            };
            let mut there = self.steps.iter().enumerate().filter(|(_, other)| same(other));
            let known = there.find(|(at, _)| !moved.contains(at)).map(|(at, _)| at);
            moved.push(known.unwrap_or_else(|| {
                self.steps.push(step);
                self.steps.len() - 1
            }));
        }
        last
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::Source;
    use crate::sequence::template::call;
    use serde_json::json;

    #[test]
    fn calls_apart_are_about_two_things() {
        let from = Source::Result { pointer: "/id".to_owned() };
        let id = Binding { at: "/id".to_owned(), step: 1, from };
        let steps = vec![
            call("login", json!({}), vec![], Role::Call),
            call("create_task", json!({"title": "a"}), vec![], Role::Call),
            call("set_status", json!({"id": "t1", "status": "done"}), vec![id], Role::Call),
        ];
        let exemplar = Exemplar { tool: 2, case: Case { phase: Phase::Stateful, steps } };
        let tools = |apart: bool| {
            let (together, ..) = joined(&exemplar, &exemplar, &[], apart).expect("joins");
            let names = together.steps.iter().filter_map(|step| step.action.tool());
            names.map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(tools(false), ["login", "create_task", "set_status", "set_status"]);
        let two = ["login", "create_task", "create_task", "set_status", "set_status"];
        assert_eq!(tools(true), two);
    }
}
