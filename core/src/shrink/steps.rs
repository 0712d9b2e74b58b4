//! Dropping steps: slices by dependency first, then delta debugging, with bindings kept valid.

use super::{Attempts, Shown};
use crate::case::{Binding, Case, Role, Source, Step};
use crate::lints::Execution;
use crate::outcome::OutcomeKind;
use crate::schema::key_tokens;
use crate::sequence::intent::Intent;
use crate::sequence::mine;
use serde_json::Value;
use std::collections::HashMap;

/// A case with the knowledge of where each value can come from.
pub(crate) struct Traced {
    case: Case,
    /// For each value seen: the steps and places that brought it.
    sources: HashMap<String, Vec<(usize, Source)>>,
    /// Which steps may have changed something: those that succeeded and do not only look, by the names of their tools.
    changes: Vec<bool>,
}

/// Whether a call only looks, by its tool's name: `task_status` does, unless it is given a status.
fn is_look(step: &Step, tool: &str) -> bool {
    let given = |word: &String| {
        step.action.arguments().is_some_and(|arguments| arguments.get(word).is_some())
    };
    Intent::of_name(tool).looks_read_only() && !key_tokens(tool).iter().any(given)
}

impl Traced {
    /// Traces the values of an execution.
    pub(crate) fn new(execution: &Execution) -> Self {
        let mut sources: HashMap<String, Vec<(usize, Source)>> = HashMap::new();
        let ok = |at: usize| {
            execution.outcomes.get(at).is_some_and(|outcome| outcome.kind == OutcomeKind::Ok)
        };
        for (index, (step, exchange)) in
            execution.case.steps.iter().zip(&execution.exchanges).enumerate()
        {
            let arguments = step.action.arguments().map(mine::arguments).unwrap_or_default();
            // What a refusal repeats of its own call does not come from there.
            let sent: Vec<Value> = arguments.iter().map(|sent| sent.value.clone()).collect();
            let repeated =
                |value: &Value| !ok(index) && sent.iter().any(|sent| mine::echoes(value, sent));
            let answer = mine::answer(exchange, true).into_iter();
            let told = answer.filter(|mined| !repeated(&mined.value));
            for mined in told.chain(arguments) {
                if is_telling(&mined.value) {
                    sources.entry(mined.value.to_string()).or_default().push((index, mined.source));
                }
            }
        }
        let mut case = execution.case.clone();
        flatten(&mut case);
        trace_back(&mut case, &sources, ok);
        link(&mut case, &sources);
        let looks = |step: &Step| step.action.tool().is_none_or(|tool| is_look(step, tool));
        let steps = case.steps.iter().enumerate();
        let changes = steps.map(|(at, step)| ok(at) && !looks(step)).collect();
        Self { case, sources, changes }
    }

    /// The case with only the steps marked, bindings to dropped steps moved to kept ones where the value is known from there.
    pub(crate) fn subset(&self, keep: &[bool]) -> Case {
        let mut renumbered = vec![None; self.case.steps.len()];
        let mut steps: Vec<Step> = Vec::new();
        for (old, step) in self.case.steps.iter().enumerate() {
            if !keep.get(old).copied().unwrap_or(false) {
                continue;
            }
            let mut step = step.clone();
            step.bindings = self.rebound(&step, old, &renumbered);
            if let Role::Repeat { of, .. } = &mut step.role {
                match renumbered[*of] {
                    Some(new) => *of = new,
                    None => step.role = Role::Call,
                }
            }
            renumbered[old] = Some(steps.len());
            steps.push(step);
        }
        Case { phase: self.case.phase, steps }
    }

    fn rebound(&self, step: &Step, at: usize, renumbered: &[Option<usize>]) -> Vec<Binding> {
        let mut bindings = Vec::new();
        for binding in &step.bindings {
            if let Some(new) = renumbered[binding.step] {
                bindings.push(Binding { step: new, ..binding.clone() });
                continue;
            }
            let value =
                step.action.arguments().and_then(|arguments| arguments.pointer(&binding.at));
            let known = value.and_then(|value| self.sources.get(&value.to_string()));
            let other = known.into_iter().flatten().find_map(|(from, source)| {
                let new = (*from < at).then(|| renumbered[*from]).flatten()?;
                Some(Binding { at: binding.at.clone(), step: new, from: source.clone() })
            });
            bindings.extend(other.or_else(|| self.stand_in(binding, at, renumbered)));
        }
        bindings
    }

    /// Another thing in place of the one that a dropped step brought: that of a kept step of the same tool, or of one whose answer
    /// is used at the same place. Whether it does for the fault, an execution tells.
    fn stand_in(
        &self,
        binding: &Binding,
        at: usize,
        renumbered: &[Option<usize>],
    ) -> Option<Binding> {
        let tool = |step: usize| self.case.steps[step].action.tool();
        let used = |step: usize| {
            let bindings = self.case.steps.iter().flat_map(|other| &other.bindings);
            bindings.into_iter().any(|other| other.step == step && other.from == binding.from)
        };
        let told = !matches!(binding.from, Source::Argument { .. });
        let kept = (0..at).rev().filter(|step| renumbered[*step].is_some() && told);
        let mut kept = kept.filter(|step| tool(*step) == tool(binding.step) || used(*step));
        let new = renumbered[kept.next()?]?;
        Some(Binding { step: new, ..binding.clone() })
    }

    /// The part of an execution that a step depends on, as it ran, with what changed the same things before; the step is the last.
    pub(crate) fn excerpt(&self, execution: &Execution, step: usize) -> Execution {
        let mut keep = vec![false; self.case.steps.len()];
        keep[step] = true;
        let things = |step: &Step| -> Vec<Value> {
            let at = |binding: &Binding| step.action.arguments()?.pointer(&binding.at).cloned();
            step.bindings.iter().filter_map(at).collect()
        };
        let wanted = things(&self.case.steps[step]);
        for (index, other) in self.case.steps[..step].iter().enumerate() {
            keep[index] = self.changes.get(index) == Some(&true)
                && things(other).iter().any(|thing| wanted.contains(thing));
        }
        let keep = self.closed(keep);
        let kept = |index: &usize| keep[*index];
        let steps: Vec<usize> = (0..=step).filter(kept).collect();
        Execution {
            case: self.subset(&keep),
            exchanges: steps.iter().map(|index| execution.exchanges[*index].clone()).collect(),
            outcomes: steps.iter().map(|index| execution.outcomes[*index]).collect(),
            stray: Vec::new(),
            closing: None,
        }
    }

    /// A step and what it depends on, with those of the steps `also` that come before it.
    pub(crate) fn dependencies(&self, step: usize, also: &[usize]) -> Case {
        let mut keep = vec![false; self.case.steps.len()];
        keep[step] = true;
        for other in also.iter().filter(|other| **other < step) {
            keep[*other] = true;
        }
        self.subset(&self.closed(keep))
    }

    /// Ever larger candidates that end with the failing step (or with `end`, where the whole case counts).
    pub(crate) fn slices(
        &self,
        failing: usize,
        end: usize,
        lint: &str,
        whole: bool,
        involved: &[usize],
    ) -> Vec<Case> {
        let count = self.case.steps.len();
        let check_of = |role: &Role| match role {
            Role::Subject { check } | Role::Observe { check, .. } | Role::Repeat { check, .. } => {
                Some(check.clone())
            }
            _ => None,
        };
        let own = check_of(&self.case.steps[failing].role);
        let relevant = |step: &Step| {
            let check = check_of(&step.role);
            whole && check.is_some() && (check.as_deref() == Some(lint) || check == own)
        };
        let mut keep = vec![false; count];
        for (index, step) in self.case.steps.iter().enumerate().take(end) {
            keep[index] = index == failing
                || relevant(step)
                || (whole && involved.contains(&index))
                || self.case.steps[failing].group.is_some_and(|g| step.group == Some(g));
        }
        let lean = self.closed(keep.clone());
        let last = involved.iter().copied().filter(|_| whole).fold(failing, usize::max);
        let touching = self.closed(self.touching(&lean, last));
        // What was refused, and looks that nothing is said of, rarely matter.
        let changed = |(index, keep): (usize, &bool)| {
            *keep || (whole && index < end && self.changes.get(index) == Some(&true))
        };
        let changed = self.closed(lean.iter().enumerate().map(changed).collect());
        let all: Vec<bool> = (0..count).map(|index| index < end).collect();
        // What the lint says that it takes to see the fault, before what may have to do with it.
        let mut told = vec![false; count];
        for index in involved.iter().filter(|index| **index < count) {
            told[*index] = true;
        }
        // What came after an answer shows without a later call, too.
        let before = if whole { Vec::new() } else { self.closed(told.clone()) };
        told[failing] = !involved.is_empty();
        let told = self.closed(told);
        // The same, and what may have changed something before it.
        let effects = |(index, told): (usize, &bool)| {
            *told || (whole && !involved.is_empty() && index < last && self.changes[index])
        };
        let effects = self.closed(told.iter().enumerate().map(effects).collect());
        let mut candidates: Vec<Vec<bool>> = Vec::new();
        for candidate in [before, told, lean, touching, effects, changed, all] {
            if candidate.contains(&true) && !candidates.contains(&candidate) {
                candidates.push(candidate);
            }
        }
        candidates.iter().map(|keep| self.subset(keep)).collect()
    }

    /// Adds the steps that kept steps take values from.
    fn closed(&self, mut keep: Vec<bool>) -> Vec<bool> {
        for index in (0..self.case.steps.len()).rev() {
            if keep[index] {
                for binding in &self.case.steps[index].bindings {
                    keep[binding.step] = true;
                }
            }
        }
        keep
    }

    /// Adds the steps before the failing one that share a telling value with a kept step.
    fn touching(&self, keep: &[bool], failing: usize) -> Vec<bool> {
        let values = |step: &Step| -> Vec<String> {
            let arguments = step.action.arguments().map(mine::arguments).unwrap_or_default();
            arguments.iter().filter(|m| is_telling(&m.value)).map(|m| m.value.to_string()).collect()
        };
        let wanted: Vec<String> = self
            .case
            .steps
            .iter()
            .zip(keep)
            .filter(|(_, keep)| **keep)
            .flat_map(|(step, _)| values(step))
            .collect();
        let mut wider = keep.to_vec();
        for (index, step) in self.case.steps.iter().enumerate().take(failing) {
            wider[index] |= values(step).iter().any(|value| wanted.contains(value));
        }
        wider
    }
}

/// Values that are unlikely to be equal by chance.
fn is_telling(value: &Value) -> bool {
    match value {
        Value::String(text) => text.len() >= 3 || looks_made(value),
        Value::Number(number) => number.as_i64().is_none_or(|n| !(-16..=16).contains(&n)),
        _ => false,
    }
}

/// Makes bindings point to where a value first came from, not to arguments that were bound themselves.
fn flatten(case: &mut Case) {
    for index in 0..case.steps.len() {
        let mut bindings = case.steps[index].bindings.clone();
        for binding in &mut bindings {
            for _ in 0..case.steps.len() {
                let Source::Argument { pointer } = &binding.from else {
                    break;
                };
                let Some(origin) = case
                    .steps
                    .get(binding.step)
                    .and_then(|step| step.bindings.iter().find(|b| b.at == *pointer))
                else {
                    break;
                };
                binding.step = origin.step;
                binding.from = origin.from.clone();
            }
        }
        case.steps[index].bindings = bindings;
    }
}

/// Makes bindings of ids point to the first success that told them, mostly the call that made the thing: lists and other looks in
/// between are then not needed for it.
fn trace_back(
    case: &mut Case,
    sources: &HashMap<String, Vec<(usize, Source)>>,
    ok: impl Fn(usize) -> bool,
) {
    for index in 0..case.steps.len() {
        let step = &case.steps[index];
        let mut bindings = step.bindings.clone();
        for binding in &mut bindings {
            let value = step.action.arguments().and_then(|sent| sent.pointer(&binding.at));
            let known = value.filter(|value| looks_made(value));
            let told =
                known.and_then(|value| sources.get(&value.to_string())).into_iter().flatten();
            let first = told.filter(|(from, source)| {
                *from < binding.step && !matches!(source, Source::Argument { .. }) && ok(*from)
            });
            let first = first.min_by_key(|(from, _)| *from).cloned();
            let apart = |from: usize| step.group.is_none() || case.steps[from].group != step.group;
            if let Some((from, source)) = first.filter(|(from, _)| apart(*from)) {
                (binding.step, binding.from) = (from, source);
            }
        }
        case.steps[index].bindings = bindings;
    }
}

/// Binds ids that were sent as literals although an earlier answer of the case brought them: a fresh session has other ids.
fn link(case: &mut Case, sources: &HashMap<String, Vec<(usize, Source)>>) {
    for index in 0..case.steps.len() {
        let step = &case.steps[index];
        let Some(arguments) = step.action.arguments() else { continue };
        let free = |at: &String| step.bindings.iter().all(|binding| binding.at != *at);
        let found: Vec<Binding> = crate::pointer::scalars(arguments)
            .into_iter()
            .filter_map(|at| arguments.pointer(&at).map(|value| (at, value)))
            .filter(|(at, value)| free(at) && looks_made(value))
            .filter_map(|(at, value)| {
                let answers = sources.get(&value.to_string())?.iter();
                let (from, source) = answers
                    .filter(|(from, source)| {
                        *from < index && !matches!(source, Source::Argument { .. })
                    })
                    .find(|(from, _)| {
                        step.group.is_none() || case.steps[*from].group != step.group
                    })?;
                Some(Binding { at, step: *from, from: source.clone() })
            })
            .collect();
        case.steps[index].bindings.extend(found);
    }
}

/// Whether a value looks like one that a server made up: an id rather than a word.
fn looks_made(value: &Value) -> bool {
    let text = value.as_str().unwrap_or_default().as_bytes();
    text.len() >= 2
        && text.iter().any(u8::is_ascii_digit)
        && text.iter().any(u8::is_ascii_alphabetic)
}

/// Drops steps in ever smaller chunks, from the back, until none can be left out.
pub(crate) fn shrink(attempts: &mut Attempts<'_, '_>, mut best: Shown) -> Shown {
    let mut chunk = best.execution.case.steps.len() / 2;
    while chunk >= 1 {
        let mut dropped = false;
        let mut end = best.execution.case.steps.len();
        while end > 0 && attempts.may_go_on() {
            let start = end.saturating_sub(chunk);
            let failing = best.failing_step();
            let keep: Vec<bool> = (0..best.execution.case.steps.len())
                .map(|i| i < start || i >= end || i == failing)
                .collect();
            if keep.iter().all(|kept| *kept) {
                end = start;
                continue;
            }
            let candidate = Traced::new(&best.execution).subset(&keep);
            if let Some(shown) = attempts.show(&candidate) {
                best = shown;
                dropped = true;
                end = end.min(best.execution.case.steps.len());
                end = start.min(end);
            } else {
                end = start;
            }
        }
        if !dropped || chunk > 1 {
            chunk /= 2;
        }
        if chunk == 0 && dropped && attempts.may_go_on() {
            chunk = 1;
        }
        if !attempts.may_go_on() {
            break;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::{Action, Label, Phase};
    use crate::exchange::Reply;
    use crate::lints::scene::exchange;
    use crate::outcome::Outcome;
    use serde_json::json;
    use std::sync::Arc;

    fn step(arguments: Value, bindings: Vec<Binding>) -> Step {
        Step {
            action: Action::CallTool { tool: "t".to_owned(), arguments },
            bindings,
            label: Label::Valid,
            role: Role::Call,
            group: None,
        }
    }

    #[test]
    fn bindings_to_bound_arguments_are_flattened() {
        let argument = |step: usize| Binding {
            at: "/id".to_owned(),
            step,
            from: Source::Argument { pointer: "/id".to_owned() },
        };
        let origin = Binding {
            at: "/id".to_owned(),
            step: 0,
            from: Source::Result { pointer: "/structuredContent/id".to_owned() },
        };
        let mut case = Case {
            phase: Phase::Stateful,
            steps: vec![
                step(json!({}), vec![]),
                step(json!({"id": "x1y"}), vec![origin.clone()]),
                step(json!({"id": "x1y"}), vec![argument(1)]),
            ],
        };
        flatten(&mut case);
        assert_eq!(case.steps[2].bindings, [origin]);
    }

    #[test]
    fn an_excerpt_has_what_changed_the_same_thing() {
        let from = Source::Result { pointer: "/structuredContent/id".to_owned() };
        let named = |step: usize| Binding { at: "/id".to_owned(), step, from: from.clone() };
        let (one, other) = (json!({"id": "x1y"}), json!({"id": "z2w"}));
        let steps = vec![
            step(json!({}), vec![]),
            step(json!({}), vec![]),
            step(one.clone(), vec![named(0)]),
            step(other, vec![named(1)]),
            step(one, vec![named(0)]),
        ];
        let answer = |id: &str| {
            let answer = Reply::Result(json!({"structuredContent": {"id": id}, "content": []}));
            Arc::new(exchange("tools/call", json!({}), answer))
        };
        let exchanges = ["x1y", "z2w", "x1y", "z2w", "x1y"].map(answer).to_vec();
        let outcomes = exchanges.iter().map(|exchange| Outcome::of(exchange)).collect();
        let case = Case { phase: Phase::Stateful, steps };
        let execution = Execution { case, exchanges, outcomes, stray: Vec::new(), closing: None };
        let mut traced = Traced::new(&execution);
        traced.changes = vec![true, true, true, true, false];
        assert_eq!(traced.excerpt(&execution, 4).exchanges.len(), 3);
        // A look leaves no trace.
        traced.changes[2] = false;
        assert_eq!(traced.excerpt(&execution, 4).exchanges.len(), 2);
    }

    #[test]
    fn what_another_call_made_stands_in_for_what_a_dropped_one_made() {
        let from = Source::Result { pointer: "/id".to_owned() };
        let id = Binding { at: "/id".to_owned(), step: 1, from: from.clone() };
        let case = Case {
            phase: Phase::Stateful,
            steps: vec![
                step(json!({}), vec![]),
                step(json!({}), vec![]),
                step(json!({"id": "b2"}), vec![id]),
            ],
        };
        let traced = Traced { case, sources: HashMap::new(), changes: Vec::new() };
        let shorter = traced.subset(&[true, false, true]);
        assert_eq!(shorter.steps[1].bindings, [Binding { at: "/id".to_owned(), step: 0, from }]);
    }

    #[test]
    fn ids_are_traced_back_to_the_call_that_made_the_thing() {
        let made = |pointer: &str| Source::Result { pointer: pointer.to_owned() };
        let mut sources = HashMap::new();
        let told = vec![(0, made("/id")), (1, made("/id")), (2, made("/tasks/0/id"))];
        sources.insert(json!("T-1").to_string(), told);
        let listed = Binding { at: "/id".to_owned(), step: 2, from: made("/tasks/0/id") };
        let mut case = Case {
            phase: Phase::Stateful,
            steps: vec![
                step(json!({}), vec![]),
                step(json!({}), vec![]),
                step(json!({}), vec![]),
                step(json!({"id": "T-1"}), vec![listed]),
            ],
        };
        // The first answer that names it is a refusal.
        trace_back(&mut case, &sources, |at| at > 0);
        let wanted = Binding { at: "/id".to_owned(), step: 1, from: made("/id") };
        assert_eq!(case.steps[3].bindings, [wanted]);
    }

    #[test]
    fn ids_from_answers_are_linked_and_words_are_not() {
        let made = |pointer: &str| Source::Result { pointer: pointer.to_owned() };
        let mut sources = HashMap::new();
        sources.insert(json!("nt_1").to_string(), vec![(0, made("/structuredContent/id"))]);
        sources.insert(json!("first").to_string(), vec![(0, made("/structuredContent/title"))]);
        let own = Source::Argument { pointer: "/id".to_owned() };
        sources.insert(json!("mine_2").to_string(), vec![(0, own)]);
        let mut case = Case {
            phase: Phase::Stateful,
            steps: vec![
                step(json!({"id": "nt_1"}), vec![]),
                step(json!({"id": "nt_1", "title": "first", "other": "mine_2"}), vec![]),
            ],
        };
        link(&mut case, &sources);
        assert_eq!(case.steps[0].bindings, []);
        let wanted = Binding { at: "/id".to_owned(), step: 0, from: made("/structuredContent/id") };
        assert_eq!(case.steps[1].bindings, [wanted]);
    }
}
