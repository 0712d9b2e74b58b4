//! The parallel phase: calls sent together, judged against the same calls in sequence on fresh sessions.

use crate::case::{Case, Phase, Step};
use crate::catalog::Catalog;
use crate::event::Event;
use crate::execute::Verdict;
use crate::finding::Reproduction;
use crate::lints::Execution;
use crate::pointer::scalars;
use crate::sequence::exemplar::{Exemplar, joined};
use crate::sequence::links::is_reference;
use crate::worker::Worker;
use serde_json::Value;
use std::sync::Arc;

/// Pairs of calls tried at most.
const MOST_PAIRS: usize = 24;
/// Looks at the state after the calls.
const MOST_VIEWS: usize = 3;

/// Runs the phase.
pub(crate) fn run(worker: &mut Worker<'_>) {
    let pairs = pairs(worker);
    if pairs.is_empty() {
        let reason =
            "no tool that changes something had a successful call to send together with another";
        worker.record.phases.entry(Phase::Parallel).or_default().skipped = Some(reason.to_owned());
        return;
    }
    for (number, (a, b)) in pairs.into_iter().enumerate() {
        if !worker.may_go_on() {
            return;
        }
        try_pair(worker, &a, &b, number % 3 == 0);
    }
}

/// Pairs of calls that change something: one that succeeded, twice with fresh words in its free text; where it has none, two that
/// succeeded; then calls of different tools about the same things.
fn pairs(worker: &mut Worker<'_>) -> Vec<(Exemplar, Exemplar)> {
    let (mind, catalog) = (&worker.mind, worker.judge.catalog);
    let changes = |tool: &usize| {
        !mind.intents[*tool].looks_read_only() && !catalog.tools[*tool].hints.read_only
    };
    let writers: Vec<usize> = mind.callable.iter().copied().filter(changes).collect();
    let mut pairs = Vec::new();
    for tool in &writers {
        let Some(first) = mind.exemplars.of(*tool).first() else {
            continue;
        };
        let second = mind.exemplars.of(*tool).get(1);
        if has_free_text(first, catalog) {
            pairs.push((first.clone(), first.clone()));
        } else if let Some(second) = second {
            pairs.push((first.clone(), second.clone()));
        }
    }
    for (number, tool) in writers.iter().enumerate() {
        for other in &writers[number + 1..] {
            let related = mind.intents[*tool].shares_noun(&mind.intents[*other]);
            if let (true, Some(a), Some(b)) =
                (related, mind.exemplars.of(*tool).first(), mind.exemplars.of(*other).first())
            {
                pairs.push((a.clone(), b.clone()));
            }
        }
    }
    pairs.truncate(MOST_PAIRS);
    pairs
}

fn has_free_text(exemplar: &Exemplar, catalog: &Catalog) -> bool {
    exemplar.case.steps.last().is_some_and(|step| free_text(step, catalog).next().is_some())
}

/// Places in a call's arguments that hold text of the caller's own: no choice, no format, no reference to something that exists.
fn free_text<'s>(step: &'s Step, catalog: &'s Catalog) -> impl Iterator<Item = String> + 's {
    let schema = step.action.tool().and_then(|name| catalog.tool(name)?.input_schema());
    let arguments = step.action.arguments().cloned().unwrap_or_default();
    let pointers = if schema.is_some() { scalars(&arguments) } else { Vec::new() };
    pointers.into_iter().filter(move |pointer| {
        let parameter = schema.and_then(|schema| schema.all_parameters().at(pointer));
        let text = arguments.pointer(pointer).is_some_and(Value::is_string);
        let bound = step.bindings.iter().any(|binding| binding.at == *pointer);
        text && !bound
            && parameter.is_some_and(|p| {
                p.choices.is_empty() && p.format.is_none() && !is_reference(&p.name)
            })
    })
}

/// A case whose calls sent together carry words that no session has seen before.
fn with_fresh_words(worker: &mut Worker<'_>, case: &Case, calls: [usize; 2]) -> Case {
    let mut case = case.clone();
    for at in calls {
        freshen(worker, &mut case.steps[at]);
    }
    case
}

/// Puts words that no session has seen before into a call's free text.
pub(super) fn freshen(worker: &mut Worker<'_>, step: &mut Step) {
    let catalog = worker.judge.catalog;
    let pointers: Vec<String> = free_text(step, catalog).collect();
    let schema = step.action.tool().and_then(|name| catalog.tool(name)?.input_schema());
    for pointer in pointers {
        let word = format!("word{:06x}", worker.mind.draw.bits() & 0x00ff_ffff);
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

fn try_pair(worker: &mut Worker<'_>, a: &Exemplar, b: &Exemplar, thorough: bool) {
    let views = views(worker, a.tool);
    let Some(cases) = joined(a, b, &views).filter(|_| !views.is_empty()) else {
        return;
    };
    let Some((verdict, mut execution)) = judged(worker, &cases, views.len(), thorough) else {
        return;
    };
    let fingerprint = verdict.fingerprint();
    let mut shown = 1;
    // A race need not come every time: two more tries, and it is reported with its rate if one of them shows it.
    for _ in 0..2 {
        if let Some((again, latest)) = judged(worker, &cases, views.len(), true)
            && again.fingerprint() == fingerprint
        {
            shown += 1;
            execution = latest;
        }
    }
    if shown < 2 {
        return;
    }
    let execution = smaller(worker, a, b, &views, &fingerprint).unwrap_or(execution);
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
    a: &Exemplar,
    b: &Exemplar,
    views: &[Exemplar],
    fingerprint: &str,
) -> Option<Execution> {
    views.iter().find_map(|view| {
        let cases = joined(a, b, std::slice::from_ref(view))?;
        let (verdict, execution) = judged(worker, &cases, 1, true)?;
        (verdict.fingerprint() == fingerprint).then_some(execution)
    })
}

/// Runs the calls together and in both orders, each on a fresh session; the verdict of a parallel lint, if there is one.
fn judged(
    worker: &mut Worker<'_>,
    (together, first, second): &(Case, Case, Case),
    looks: usize,
    thorough: bool,
) -> Option<(Verdict, Execution)> {
    if worker.shared.is_cancelled()
        || worker.judge.plan.elapsed() > worker.judge.plan.time_limit.mul_f64(1.1)
    {
        return None;
    }
    let run = |worker: &mut Worker<'_>, case: &Case| {
        let (execution, verdicts) = worker.attempt(case)?;
        let calls = execution.exchanges.len() as u64;
        // These calls are the phase's own work, not a confirmation's.
        worker.record.shrink_calls -= calls;
        worker.record.calls += calls;
        worker.record.phases.entry(Phase::Parallel).or_default().calls += calls;
        (0..calls).for_each(|_| worker.shared.count_call());
        Some((execution, verdicts))
    };
    let calls = [together.steps.len() - looks - 2, together.steps.len() - looks - 1];
    let fresh = |worker: &mut Worker<'_>, case: &Case| {
        let case = with_fresh_words(worker, case, calls);
        run(worker, &case)
    };
    let (execution, verdicts) = fresh(worker, together)?;
    let lost = is_suspicious(&execution);
    if !lost && !thorough {
        return None;
    }
    for verdict in verdicts {
        worker.note(verdict, Phase::Parallel, || execution.clone());
    }
    let mut references = vec![fresh(worker, first)?.0, fresh(worker, second)?.0];
    if !lost {
        references.push(fresh(worker, first)?.0);
    }
    let verdict = worker
        .judge
        .case(&execution, &references)
        .into_iter()
        .find(|verdict| verdict.lint == "parallel_calls_differ")?;
    Some((verdict, execution))
}

/// Whether some text that the calls sent is in none of the looks after them: the sign of a lost update. Comparing with the calls
/// in sequence costs two more sessions; pairs without the sign are compared now and then only.
fn is_suspicious(execution: &Execution) -> bool {
    let steps = execution.case.steps.iter().zip(&execution.exchanges);
    let (grouped, rest): (Vec<_>, Vec<_>) = steps.partition(|(step, _)| step.group.is_some());
    let last = execution.case.steps.iter().rposition(|step| step.group.is_some()).unwrap_or(0);
    let looks = rest.iter().filter(|(_, exchange)| exchange.result().is_some());
    let shown: String = looks
        .map(|(_, exchange)| exchange.result().map(ToString::to_string).unwrap_or_default())
        .collect();
    let sent = grouped
        .iter()
        .flat_map(|(step, _)| step.action.arguments().map(crate::mask::values).unwrap_or_default());
    last > 0
        && sent
            .filter_map(|value| value.as_str().map(str::to_owned))
            .any(|text| text.len() >= 3 && !shown.contains(&text))
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
    views.into_iter().take(MOST_VIEWS).cloned().collect()
}
