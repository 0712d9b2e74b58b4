//! The parallel phase: calls sent together, judged against the same calls in sequence on fresh sessions.

use super::edits::fill_in;
use super::pairs::{Kind, Pair, free_text, pairs};
use super::signs::{is_answered, is_suspicious, is_swapped};
use crate::case::{Case, Phase, Step};
use crate::catalog::Catalog;
use crate::event::Event;
use crate::execute::Verdict;
use crate::finding::Reproduction;
use crate::lints::Execution;
use crate::pointer::join;
use crate::sequence::exemplar::{Exemplar, joined};
use crate::sequence::intent::Verb;
use crate::worker::Worker;
use serde_json::Value;
use std::sync::Arc;

/// Looks at the state after the calls.
const MOST_VIEWS: usize = 2;

/// Runs the phase.
pub(crate) fn run(worker: &mut Worker<'_>) {
    let pairs = pairs(worker);
    if pairs.is_empty() {
        let reason =
            "no tool that changes something had a successful call to send together with another";
        worker.record.phases.entry(Phase::Parallel).or_default().skipped = Some(reason.to_owned());
        return;
    }
    for (number, pair) in pairs.into_iter().enumerate() {
        if !worker.may_go_on() {
            return;
        }
        try_pair(worker, &pair, number % 4 == 0);
    }
}

/// A case whose calls carry words that no session has seen before: those sent together, and those before them that make things.
fn with_fresh_words(worker: &mut Worker<'_>, case: &Case, calls: [usize; 2], kind: Kind) -> Case {
    let mut case = case.clone();
    if kind == Kind::Edits {
        let words = std::array::from_fn(|_| fresh_word(worker));
        fill_in(&mut case, &words);
        return case;
    }
    for at in 0..=calls[1] {
        let makes = |step: &Step| {
            let tool = step.action.tool().and_then(|name| worker.judge.catalog.tool(name));
            tool.is_some_and(|tool| worker.mind.intents[tool.index].verb == Verb::Create)
        };
        if calls.contains(&at) || makes(&case.steps[at]) {
            freshen(worker, &mut case.steps[at]);
        }
    }
    if kind == Kind::Equal {
        case.steps[calls[1]].action = case.steps[calls[0]].action.clone();
    }
    case
}

fn fresh_word(worker: &mut Worker<'_>) -> String {
    format!("word{:06x}", worker.mind.draw.bits() & 0x00ff_ffff)
}

/// Puts words that no session has seen before into a call's free text.
pub(super) fn freshen(worker: &mut Worker<'_>, step: &mut Step) {
    let catalog = worker.judge.catalog;
    let pointers: Vec<String> = free_text(step, catalog).collect();
    let schema = step.action.tool().and_then(|name| catalog.tool(name)?.input_schema());
    for pointer in pointers {
        let word = fresh_word(worker);
        let Some(arguments) = step.action.arguments_mut() else {
            continue;
        };
        let mut changed = arguments.clone();
        if let Some(slot) = changed.pointer_mut(&pointer) {
            *slot = Value::from(word);
        }
        if schema.is_some_and(|schema| schema.is_valid(&changed)) {
            *arguments = changed;
        }
    }
}

fn try_pair(worker: &mut Worker<'_>, pair: &Pair, thorough: bool) {
    let views = match pair.kind {
        Kind::Changes | Kind::Apart => views(worker, pair.a.tool),
        Kind::Equal | Kind::Reads | Kind::Edits => pair.views.clone(),
    };
    let Some(cases) = joined(&pair.a, &pair.b, &views, pair.is_apart()) else {
        return;
    };
    if matches!(pair.kind, Kind::Changes | Kind::Apart) && views.is_empty() {
        return;
    }
    let Some((verdict, mut execution)) = judged(worker, &cases, (pair.kind, views.len()), thorough)
    else {
        return;
    };
    let fingerprint = verdict.fingerprint();
    let mut shown = 1;
    // A race need not come every time: two more tries, and it is reported with its rate if one of them shows it.
    for _ in 0..2 {
        if let Some((again, latest)) = judged(worker, &cases, (pair.kind, views.len()), true)
            && again.fingerprint() == fingerprint
        {
            shown += 1;
            execution = latest;
        }
    }
    if shown < 2 {
        return;
    }
    let execution = smaller(worker, pair, &views, &fingerprint).unwrap_or(execution);
    let failing = execution.case.steps.len() - 1;
    if worker.shared.findings.note(verdict, Phase::Parallel, || Some(Arc::new(execution))).is_some()
        && let Some(mut found) = worker.shared.findings.get(&fingerprint)
    {
        found.reproduction = Some(Reproduction { attempts: 3, reproduced: shown });
        found.minimal = true;
        found.failing_step = failing;
        worker.shared.findings.update(&fingerprint, found);
        worker
            .shared
            .announce(worker.judge, &fingerprint, |finding| Event::FindingShrunk { finding });
    }
}

/// The same with a single look, where that still shows it.
fn smaller(
    worker: &mut Worker<'_>,
    pair: &Pair,
    views: &[Exemplar],
    fingerprint: &str,
) -> Option<Execution> {
    views.iter().find_map(|view| {
        let cases = joined(&pair.a, &pair.b, std::slice::from_ref(view), pair.is_apart())?;
        let (verdict, execution) = judged(worker, &cases, (pair.kind, 1), true)?;
        (verdict.fingerprint() == fingerprint).then_some(execution)
    })
}

/// Runs the calls together and in both orders, each on a fresh session; the verdict of a parallel lint, if there is one.
fn judged(
    worker: &mut Worker<'_>,
    (together, first, second): &(Case, Case, Case),
    (kind, looks): (Kind, usize),
    thorough: bool,
) -> Option<(Verdict, Execution)> {
    if worker.shared.is_cancelled()
        || worker.judge.plan.elapsed() > worker.judge.plan.time_limit.mul_f64(1.1)
    {
        return None;
    }
    let calls = [together.steps.len() - looks - 2, together.steps.len() - looks - 1];
    let (execution, verdicts) = fresh(worker, together, calls, kind)?;
    for verdict in verdicts {
        worker.note(verdict, Phase::Parallel, || execution.clone());
    }
    let lost = match kind {
        Kind::Changes | Kind::Edits => is_suspicious(&execution),
        // That one thing was not changed shows only in comparison.
        Kind::Apart => false,
        Kind::Equal => calls.iter().all(|at| is_answered(&execution, *at)),
        Kind::Reads => is_swapped(&execution, calls),
    };
    let compares = kind == Kind::Apart || (thorough && kind == Kind::Changes);
    if !lost && !compares {
        return None;
    }
    let mut references =
        vec![fresh(worker, first, calls, kind)?.0, fresh(worker, second, calls, kind)?.0];
    if !lost {
        references.push(fresh(worker, first, calls, kind)?.0);
    }
    let verdict = worker
        .judge
        .case(&execution, &references)
        .into_iter()
        .find(|verdict| verdict.lint == "parallel_calls_differ")?;
    Some((verdict, execution))
}

/// Runs a case on a fresh session with words that no session has seen before.
fn fresh(
    worker: &mut Worker<'_>,
    case: &Case,
    together: [usize; 2],
    kind: Kind,
) -> Option<(Execution, Vec<Verdict>)> {
    let case = with_fresh_words(worker, case, together, kind);
    let (execution, verdicts) = worker.attempt(&case)?;
    let calls = execution.exchanges.len() as u64;
    // These calls are the phase's own work, not a confirmation's.
    worker.record.shrink_calls -= calls;
    worker.record.calls += calls;
    worker.record.phases.entry(Phase::Parallel).or_default().calls += calls;
    (0..calls).for_each(|_| worker.shared.count_call());
    Some((execution, verdicts))
}

/// Looks at what the calls change: successful reads, those about the same thing and those that ask for nothing first.
fn views(worker: &Worker<'_>, tool: usize) -> Vec<Exemplar> {
    let mind = &worker.mind;
    let mut views: Vec<&Exemplar> = mind
        .callable
        .iter()
        .filter(|reader| mind.intents[**reader].looks_read_only())
        .filter_map(|reader| mind.exemplars.of(*reader).first())
        .collect();
    views.sort_by_key(|view| {
        (!mind.intents[view.tool].shares_noun(&mind.intents[tool]), view.case.steps.len())
    });
    views.into_iter().take(MOST_VIEWS).map(|view| bare(view, worker.judge.catalog)).collect()
}

/// The exemplar with only what its last call needs: a look that filters, or shows one page, sees less.
fn bare(exemplar: &Exemplar, catalog: &Catalog) -> Exemplar {
    let mut bare = exemplar.clone();
    let schema = |step: &Step| catalog.tool(step.action.tool()?)?.input_schema();
    let Some(step) = bare.case.steps.last_mut() else {
        return bare;
    };
    let Some(schema) = schema(step) else {
        return bare;
    };
    let Some(arguments) = step.action.arguments_mut() else {
        return bare;
    };
    let mut needed = arguments.clone();
    if let Some(members) = needed.as_object_mut() {
        let required = |name: &str| {
            let at = join("", name);
            let inside = format!("{at}/");
            let mut parameters = schema.parameters().iter().filter(|p| p.required);
            parameters.any(|p| p.pointer == at || p.pointer.starts_with(&inside))
        };
        members.retain(|name, _| required(name));
    }
    if schema.is_valid(&needed) {
        arguments.clone_from(&needed);
        step.bindings.retain(|binding| needed.pointer(&binding.at).is_some());
    }
    bare
}
