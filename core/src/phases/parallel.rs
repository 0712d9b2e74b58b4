//! The parallel phase: calls sent together, judged against the same calls in sequence on fresh sessions.

use crate::case::{Case, Phase};
use crate::execute::Verdict;
use crate::finding::Reproduction;
use crate::lints::Execution;
use crate::sequence::exemplar::{Exemplar, joined};
use crate::worker::Worker;
use std::sync::Arc;

/// Pairs of calls tried at most.
const MOST_PAIRS: usize = 24;
/// Looks at the state after the calls.
const MOST_VIEWS: usize = 3;

/// Runs the phase.
pub(crate) fn run(worker: &mut Worker<'_>) {
    let pairs = pairs(worker);
    if pairs.is_empty() {
        let reason = "no tool that changes something had two successful calls to send together";
        worker.record.phases.entry(Phase::Parallel).or_default().skipped = Some(reason.to_owned());
        return;
    }
    for (a, b) in pairs {
        if !worker.may_go_on() {
            return;
        }
        try_pair(worker, &a, &b);
    }
}

/// Pairs of successful calls that change something: the same tool with different arguments first, then different tools about the
/// same things.
fn pairs(worker: &Worker<'_>) -> Vec<(Exemplar, Exemplar)> {
    let mind = &worker.mind;
    let writers: Vec<usize> = mind
        .callable
        .iter()
        .copied()
        .filter(|tool| {
            !mind.intents[*tool].looks_read_only()
                && !worker.judge.catalog.tools[*tool].hints.read_only
        })
        .collect();
    let mut pairs = Vec::new();
    for tool in &writers {
        if let [a, b, ..] = mind.exemplars.of(*tool) {
            pairs.push((a.clone(), b.clone()));
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

fn try_pair(worker: &mut Worker<'_>, a: &Exemplar, b: &Exemplar) {
    let views = views(worker, a.tool);
    if views.is_empty() {
        return;
    }
    let Some((together, first, second)) = joined(a, b, &views) else {
        return;
    };
    let Some(verdict) = judged(worker, &together, &first, &second) else {
        return;
    };
    let (verdict, execution) = verdict;
    let fingerprint = verdict.fingerprint();
    let mut shown = 1;
    // A race need not come every time: two more tries, and it is reported with its rate if one of them shows it.
    let mut last = execution;
    for _ in 0..2 {
        if let Some((again, execution)) = judged(worker, &together, &first, &second)
            && again.fingerprint() == fingerprint
        {
            shown += 1;
            last = execution;
        }
    }
    if shown < 2 {
        return;
    }
    let (case, execution) = smaller(worker, a, b, &views, &fingerprint, last);
    let steps = case.steps.len();
    let failing = verdict.step.map_or(steps - 1, |step| step.min(steps - 1));
    if worker.shared.findings.note(verdict, Phase::Parallel, || Some(Arc::new(execution))).is_some()
        && let Some(mut found) = worker.shared.findings.get(&fingerprint)
    {
        found.reproduction = Some(Reproduction { attempts: 3, reproduced: shown });
        found.minimal = true;
        found.failing_step = failing;
        worker.shared.findings.update(&fingerprint, found);
    }
}

/// The same with a single look, where that still shows it.
fn smaller(
    worker: &mut Worker<'_>,
    a: &Exemplar,
    b: &Exemplar,
    views: &[Exemplar],
    fingerprint: &str,
    full: Execution,
) -> (Case, Execution) {
    for view in views {
        if let Some((together, first, second)) = joined(a, b, std::slice::from_ref(view))
            && let Some((verdict, execution)) = judged(worker, &together, &first, &second)
            && verdict.fingerprint() == fingerprint
        {
            return (execution.case.clone(), execution);
        }
    }
    (full.case.clone(), full)
}

/// Runs the calls together and in both orders, each on a fresh session; the verdict of a parallel lint, if there is one.
fn judged(
    worker: &mut Worker<'_>,
    together: &Case,
    first: &Case,
    second: &Case,
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
    let (execution, verdicts) = run(worker, together)?;
    if !is_suspicious(&execution) && worker.shared.calls() % 3 != 0 {
        return None;
    }
    for verdict in verdicts {
        worker.note(verdict, Phase::Parallel, || execution.clone());
    }
    let references = [run(worker, first)?.0, run(worker, second)?.0];
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
