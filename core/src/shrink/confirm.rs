//! Settling a fault: does it come again on a fresh session, does it need the call it blames, and then: what is its smallest case?

use super::{Attempts, Shown, arguments, steps};
use crate::case::{Case, Role};
use crate::exchange::{Exchange, Exit, Reply};
use crate::execute::Verdict;
use crate::finding::Reproduction;
use crate::findings::Found;
use crate::lints::{Execution, Level, find_trace};
use crate::plan::Plan;
use crate::sequence::template::{self, check};
use crate::worker::Worker;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Executions that a fault at level error may take; one at level warning takes fewer.
const EXECUTIONS: u32 = 40;
const EXECUTIONS_FOR_WARNING: u32 = 32;

/// The same of a call that got no answer: each takes all the time that an answer may take.
const EXECUTIONS_FOR_SILENCE: u32 = 3;
/// How many it may take to leave out what a call without an answer does not need, and the least time for each of its answers.
const EXECUTIONS_IN_HASTE: u32 = 24;
const HASTE: Duration = Duration::from_secs(1);
/// How many times the usual time a call gets before it counts as hanging rather than slow.
pub(crate) const SILENCE_PATIENCE: u32 = 3;

/// How far a run may go over its time limit to confirm and shrink.
pub(crate) const OVERRUN: f64 = 1.2;

/// How long a server may take to show a change that it acknowledged.
const PATIENCE: Duration = Duration::from_millis(500);

/// Confirms a fault on fresh sessions; tells whether its case is worth shrinking. Shrinking comes later, so that what takes long to
/// shrink does not keep others from being confirmed.
pub(crate) fn confirm(worker: &mut Worker<'_>, fingerprint: &str) -> bool {
    let Some(mut found) = worker.shared.findings.get(fingerprint) else {
        return false;
    };
    let Some(execution) = found.execution.clone() else {
        return false;
    };
    if execution.case.steps.is_empty() {
        return false;
    }
    let silent = is_silent(&found);
    let findings = &worker.shared.findings;
    let mut attempts =
        Attempts::new(worker, fingerprint, found.verdict.lint, budget(&found, silent));
    let worthwhile = if silent {
        wait_longer(&mut attempts, &mut found, &execution);
        false
    } else {
        stands(&mut attempts, &mut found, &execution)
    };
    found.executions = attempts.done;
    findings.update(fingerprint, found);
    worthwhile
}

/// Shrinks the case of a fault that was confirmed, with the executions that confirming it left.
pub(crate) fn polish(worker: &mut Worker<'_>, fingerprint: &str) {
    let Some(mut found) = worker.shared.findings.get(fingerprint) else {
        return;
    };
    let Some(execution) = found.execution.as_deref().cloned() else {
        return;
    };
    let findings = &worker.shared.findings;
    let left = budget(&found, false).saturating_sub(found.executions);
    let mut attempts = Attempts::new(worker, fingerprint, found.verdict.lint, left);
    attempts.polishing = true;
    let shown = Shown { execution, verdict: found.verdict.clone() };
    let (small, minimal) = smallest(&mut attempts, &found, shown);
    keep(&mut found, small, None, minimal);
    found.executions += attempts.done;
    findings.update(fingerprint, found);
}

fn budget(found: &Found, silent: bool) -> u32 {
    match found.verdict.level {
        _ if silent => EXECUTIONS_FOR_SILENCE,
        Level::Error => EXECUTIONS,
        _ => EXECUTIONS_FOR_WARNING,
    }
}

/// Whether a fault is that a call got no answer, so that every execution that shows it takes all the time there is.
pub(crate) fn is_silent(found: &Found) -> bool {
    let exchange =
        found.execution.as_ref().and_then(|execution| execution.exchanges.get(found.failing_step));
    exchange.is_some_and(|exchange| matches!(exchange.reply, Reply::Silence { .. }))
}

/// Tells a call that hangs from one that is slow: it gets several times the usual time, once, as far as the run's time allows. What
/// led to it is made less before, with little time for each answer; where that takes away what it hangs by, all of it is tried.
fn wait_longer(attempts: &mut Attempts<'_, '_>, found: &mut Found, execution: &Execution) {
    let original = steps::Traced::new(execution);
    let small = shrunk_in_haste(attempts, found, execution, &original);
    let plan = attempts.worker.judge.plan;
    let usual = Duration::from_secs_f64(plan.input.request_timeout);
    let left = time_left(plan);
    let patience = (usual * SILENCE_PATIENCE).min(left);
    if patience > usual {
        attempts.manner.patience = Some(patience);
    } else {
        attempts.left = 0;
    }
    let before = attempts.done;
    let shown = small.and_then(|small| attempts.show(&small.execution.case));
    let shown = shown.or_else(|| first_shown(attempts, found, &original, found.failing_step + 1));
    let tried = attempts.done - before;
    if let Some(shown) = shown {
        let once = Reproduction { attempts: tried, reproduced: 1 };
        let minimal = shown.execution.case.steps.len() == 1;
        return keep(found, shown, Some(once), minimal);
    }
    not_shown(found, tried);
    // What was not seen to hang with patience may have been slow.
    found.verdict.level = found.verdict.level.min(Level::Warning);
}

/// The smallest case found of a call without an answer, where each answer gets little time: more than any other took in the same
/// case, less than a call may take. It says nothing of whether the call hangs.
fn shrunk_in_haste(
    attempts: &mut Attempts<'_, '_>,
    found: &Found,
    execution: &Execution,
    original: &steps::Traced,
) -> Option<Shown> {
    let plan = attempts.worker.judge.plan;
    let answered = execution
        .exchanges
        .iter()
        .filter(|exchange| matches!(exchange.reply, Reply::Result(_) | Reply::Error(_)));
    let slowest = answered.map(|exchange| exchange.elapsed).max().unwrap_or_default();
    let haste = (slowest * 10).max(HASTE);
    let usual = Duration::from_secs_f64(plan.input.request_timeout);
    let left = time_left(plan);
    // The time that the call itself needs comes first.
    let spare = left.saturating_sub(usual.mul_f64(1.1) + haste);
    if execution.exchanges.len() < 2 || haste > usual / 3 || spare.is_zero() {
        return None;
    }
    let kept = std::mem::replace(&mut attempts.left, EXECUTIONS_IN_HASTE);
    attempts.until = Some(Instant::now() + spare);
    attempts.manner.patience = Some(haste);
    let shown = first_shown(attempts, found, original, found.failing_step + 1);
    let small = shown.map(|shown| steps::shrink(attempts, shown));
    (attempts.left, attempts.until) = (kept, None);
    small
}

/// How much time the run has for confirming.
fn time_left(plan: &Plan) -> Duration {
    plan.time_limit.mul_f64(OVERRUN).saturating_sub(plan.elapsed())
}

/// Tries a fault again, and whether it goes without the call that is blamed; tells whether its case is worth shrinking.
fn stands(attempts: &mut Attempts<'_, '_>, found: &mut Found, execution: &Execution) -> bool {
    let original = steps::Traced::new(execution);
    let end =
        if found.verdict.whole_case { execution.exchanges.len() } else { found.failing_step + 1 };
    let Some(shown) = first_shown(attempts, found, &original, end) else {
        not_shown(found, attempts.done);
        return false;
    };
    let wanted = if found.verdict.whole_case { 3 } else { 2 };
    let Some(reproduction) = repeated(attempts, &shown.execution.case, wanted) else {
        keep(found, shown, None, false);
        return false;
    };
    let whole = found.verdict.whole_case;
    let by_itself = if names_its_looks(&shown) {
        changes_by_chance(attempts, &shown)
    } else {
        whole && is_metamorphic(&shown) && changes_by_itself(attempts, &shown)
    };
    found.withdrawn = by_itself || (whole && passes_with_patience(attempts, &shown));
    if !found.withdrawn {
        keep(found, shown, Some(reproduction), false);
    }
    !found.withdrawn
}

/// The smallest case. The arguments of a single call are simplified on one session, since a start costs more than many calls, and
/// what comes out is tried on a fresh one; if that does not show the fault, it begins again with a fresh session for each
/// candidate. Calls that build on each other always get fresh sessions. How long a start takes decides nothing: the same seed is to
/// shrink to the same case on any machine.
fn smallest(attempts: &mut Attempts<'_, '_>, found: &Found, shown: Shown) -> (Shown, bool) {
    let small = steps::shrink(attempts, shown);
    let alone = small.execution.case.steps.len() == 1 && !found.verdict.whole_case;
    if alone {
        let left = attempts.left;
        attempts.manner.warm = true;
        let (warm, minimal) = arguments::shrink(attempts, small.clone());
        attempts.manner.warm = false;
        if let Some(shown) = attempts.show(&warm.execution.case) {
            return (shown, minimal);
        }
        attempts.left = left;
    }
    let steps = small.execution.case.steps.len();
    let (simple, minimal) = arguments::shrink(attempts, small);
    if steps == 1 || !minimal {
        return (simple, minimal);
    }
    // What an argument that is gone now took from an earlier call, that call is needed for no longer.
    let shorter = steps::shrink(attempts, simple);
    let exhausted = attempts.may_go_on();
    (shorter, exhausted)
}

/// The first of ever larger candidates that shows the fault: what the failing call depends on, that and the calls that touch the
/// same things, everything up to it.
fn first_shown(
    attempts: &mut Attempts<'_, '_>,
    found: &Found,
    original: &steps::Traced,
    end: usize,
) -> Option<Shown> {
    let verdict = &found.verdict;
    let slices = original.slices(
        found.failing_step,
        end,
        verdict.lint,
        verdict.whole_case,
        &verdict.problem.involved,
    );
    slices.into_iter().find_map(|case| attempts.show(&case))
}

/// How often a case shows the fault, the time that it was shown just now among them.
fn repeated(attempts: &mut Attempts<'_, '_>, case: &Case, wanted: u32) -> Option<Reproduction> {
    let mut reproduction = Reproduction { attempts: 1, reproduced: 1 };
    while reproduction.attempts < wanted {
        if !attempts.may_go_on() {
            return (reproduction.attempts > 1).then_some(reproduction);
        }
        reproduction.attempts += 1;
        reproduction.reproduced += u32::from(attempts.show(case).is_some());
    }
    Some(reproduction)
}

/// A fault that does not come again. What was observed on the wire stays true; a conclusion from comparing states does not. That a
/// process ended is true, too, but where it left no sign of a failure of its own, who ended it is not known.
fn not_shown(found: &mut Found, tried: u32) {
    found.withdrawn = found.verdict.whole_case;
    if tried == 0 {
        return;
    }
    found.reproduction = Some(Reproduction { attempts: tried, reproduced: 0 });
    let exchange =
        found.execution.as_ref().and_then(|execution| execution.exchanges.get(found.failing_step));
    let Some(Reply::Closed(exit)) = exchange.map(|exchange| &exchange.reply) else {
        return;
    };
    let conclusive = failed_by_itself(exit);
    let message = &mut found.verdict.problem.message;
    if conclusive {
        message.push_str("; seen once only, but it left the signs of a failure of its own");
    } else {
        message.push_str("; seen once only, and nothing tells whether the call was the cause");
        found.verdict.level = found.verdict.level.min(Level::Warning);
    }
}

/// Whether a process that ended left a stack trace, or was ended by a signal that comes of its own doing.
fn failed_by_itself(exit: &Exit) -> bool {
    /// Illegal instruction, abort, bus error, arithmetic error, bad address.
    const FAULTS: &[i32] = &[4, 6, 7, 8, 11];
    exit.signal.is_some_and(|signal| FAULTS.contains(&signal)) || find_trace(&exit.stderr).is_some()
}

fn keep(found: &mut Found, shown: Shown, reproduction: Option<Reproduction>, minimal: bool) {
    found.failing_step = shown.failing_step();
    // The sentence of the smallest case fits what the report shows.
    let at_most = found.verdict.level;
    found.verdict = shown.verdict;
    found.verdict.level = found.verdict.level.min(at_most);
    found.execution = Some(Arc::new(shown.execution));
    found.minimal = minimal;
    if reproduction.is_some() {
        found.reproduction = reproduction;
    }
}

/// Whether the fault was concluded from looks: from those that the lint names, where it names what it takes to see the fault.
fn is_metamorphic(shown: &Shown) -> bool {
    let steps = &shown.execution.case.steps;
    let looks = |step: &usize| matches!(steps[*step].role, Role::Observe { .. });
    let involved = &shown.verdict.problem.involved;
    let told: Vec<usize> = involved.iter().copied().chain([shown.failing_step()]).collect();
    let all: Vec<usize> = (0..steps.len()).collect();
    let counted = if involved.is_empty() { all } else { told };
    counted.iter().filter(|step| **step < steps.len()).any(looks)
}

/// Whether the fault is that the two looks which it names were answered otherwise, with the call that is blamed between them.
fn names_its_looks(shown: &Shown) -> bool {
    let blamed = shown.failing_step();
    let [before, after] = shown.verdict.problem.involved[..] else {
        return false;
    };
    matches!(shown.verdict.lint, check::READ_ONLY | check::FAILED_CALL)
        && (before..after).contains(&blamed)
}

/// The control of such a fault: without the call that is blamed both are answered alike. Where a read is blamed for its own next
/// answer, both answers come again.
fn changes_by_chance(attempts: &mut Attempts<'_, '_>, shown: &Shown) -> bool {
    let [before, after] = shown.verdict.problem.involved[..] else {
        return false;
    };
    let blamed = shown.failing_step();
    let keep: Vec<bool> = (0..shown.execution.case.steps.len())
        .map(|step| step == before || step != blamed)
        .collect();
    let case = steps::Traced::new(&shown.execution).subset(&keep);
    attempts.manner.pause = PATIENCE;
    let control = attempts.run(&case);
    attempts.manner.pause = Duration::ZERO;
    let Some((control, verdicts)) = control else {
        return false;
    };
    let moved = |step: usize| step - usize::from(blamed != before && step > blamed);
    let both = |execution: &Execution, of: fn(&Exchange) -> String, steps: [usize; 2]| {
        steps.map(|step| execution.exchanges.get(step).map(|exchange| of(exchange)))
    };
    if blamed == before {
        // Each session has ids of its own.
        let canonical = crate::mask::canonical;
        let first = both(&shown.execution, canonical, [before, after]);
        return first[0] == first[1] || both(&control, canonical, [before, after]) != first;
    }
    let [first, second] = both(&control, crate::mask::masked, [before, after].map(moved));
    if first != second {
        note_culprit(attempts, control, verdicts);
    }
    first != second
}

/// What changes without the call that was blamed may be another read's doing: the one that the looks are made with.
fn note_culprit(attempts: &mut Attempts<'_, '_>, control: Execution, verdicts: Vec<Verdict>) {
    let reads = verdicts.into_iter().filter(|verdict| verdict.lint == check::READ_ONLY);
    for verdict in reads.filter(|verdict| verdict.fingerprint() != attempts.fingerprint) {
        let phase = control.case.phase;
        attempts.worker.note(verdict, phase, || control.clone());
    }
}

/// Whether the fault is gone when the server has a moment between a change and the next look.
fn passes_with_patience(attempts: &mut Attempts<'_, '_>, shown: &Shown) -> bool {
    attempts.may_go_on() && attempts.show_with(&shown.execution.case, PATIENCE).is_none()
}

/// The control: the same observations without the call that is blamed. Where they differ, too, time or chance changes the state.
fn changes_by_itself(attempts: &mut Attempts<'_, '_>, shown: &Shown) -> bool {
    let traced = steps::Traced::new(&shown.execution);
    let steps = &shown.execution.case.steps;
    // Calls and looks of other checks are part of what happened.
    let own = |check: &String| check == shown.verdict.lint;
    let mut looked = steps.iter().map(|step| &step.role);
    let alone = looked.any(|role| matches!(role, Role::Observe { check, .. } if own(check)));
    let counts = |check: &String| !alone || own(check);
    let blamed = |role: &Role| match role {
        Role::Subject { check } | Role::Repeat { check, .. } => counts(check),
        _ => false,
    };
    let looks = |role: &Role| matches!(role, Role::Observe { check, .. } if counts(check));
    let named = steps.iter().any(|step| blamed(&step.role));
    // Where no call is named, all but the looks are blamed.
    let keep: Vec<bool> = steps
        .iter()
        .map(|step| if named { !blamed(&step.role) } else { looks(&step.role) })
        .collect();
    let case = traced.subset(&keep);
    let Some((execution, _)) = attempts.run(&case) else {
        return false;
    };
    template::observations_differ(&execution, |check| !alone || check == shown.verdict.lint)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_that_left_a_trace_failed_by_itself() {
        let exit =
            |signal, stderr: &str| Exit { signal, stderr: stderr.to_owned(), ..Exit::default() };
        assert!(failed_by_itself(&exit(Some(11), "")));
        assert!(!failed_by_itself(&exit(Some(9), "")), "somebody else sends that");
        let trace = "Traceback (most recent call last):\n  File \"/a.py\", line 3, in f\n    g()\nValueError: x";
        assert!(failed_by_itself(&exit(None, trace)));
        assert!(!failed_by_itself(&exit(None, "shutting down")));
    }
}
