//! Cancelled calls: each tool's successful call is cancelled while it runs, then made again.

use crate::case::{Case, Phase, Role, Step};
use crate::exchange::{Exchange, Reply};
use crate::execute::{Verdict, send};
use crate::lints::Execution;
use crate::message::Frame;
use crate::outcome::Outcome;
use crate::sequence::exemplar::{Exemplar, followed};
use crate::worker::Worker;
use std::sync::Arc;

/// After how many milliseconds calls are cancelled: some tools are soon done, some get to what matters late.
const DELAYS: [u64; 3] = [1, 8, 40];
/// Tools tried on one session.
const TOGETHER: usize = 6;
/// Sessions that this may take.
const MOST_SESSIONS: usize = 3;

/// Cancels calls that have succeeded before, and makes them again. The first that is not answered any more ends its session.
pub(crate) fn run(worker: &mut Worker<'_>) {
    let mind = &worker.mind;
    let mut exemplars: Vec<Exemplar> =
        mind.callable.iter().filter_map(|tool| mind.exemplars.of(*tool).first()).cloned().collect();
    // What takes things away comes last.
    exemplars.sort_by_key(|exemplar| {
        mind.intents[exemplar.tool].verb == crate::sequence::intent::Verb::Delete
    });
    for together in exemplars.chunks(TOGETHER).take(MOST_SESSIONS) {
        if !worker.may_go_on() {
            return;
        }
        let with = followed(together, |call| {
            let [soon, later, late] = DELAYS.map(|after_ms| Role::Cancelled { after_ms });
            // The call between them tells which of them did it.
            let roles = [soon, later, Role::Call, late, Role::Call];
            roles.into_iter().map(|role| Step { role, ..call.clone() }).collect()
        });
        let Some((execution, verdicts)) = attempt(worker, with) else { continue };
        let (silent, others): (Vec<Verdict>, Vec<Verdict>) =
            verdicts.into_iter().partition(|v| v.lint == "cancel_breaks_server");
        // A server that ends here is broken, whatever the reason.
        if let Some(crash) = others.into_iter().find(|v| v.lint == "no_crash") {
            worker.note(crash, Phase::Protocol, || execution.clone());
            worker.settle_all();
        }
        let Some(verdict) = silent.into_iter().next() else {
            continue;
        };
        // The control: what is not answered without any cancellation, either, has another reason.
        let without = followed(together, |call| vec![Step { role: Role::Call, ..call.clone() }]);
        let Some((control, _)) = attempt(worker, without) else { continue };
        if !control.exchanges.iter().any(|exchange| is_silent(exchange)) {
            worker.note(verdict, Phase::Protocol, || execution);
            worker.settle_all();
        }
    }
}

fn is_silent(exchange: &Exchange) -> bool {
    matches!(exchange.reply, Reply::Silence { .. })
}

/// Gives answers that came after all to the cancelled calls that they answer; their outcome stays silence.
fn note_late(history: &mut [(Step, Arc<Exchange>)], late: &[Frame]) {
    for frame in late {
        let call = history.iter_mut().find(|(_, exchange)| frame.id() == Some(&exchange.id));
        if let Some((_, exchange)) = call.filter(|(_, exchange)| exchange.frame.is_none()) {
            Arc::make_mut(exchange).frame = Some(frame.clone());
        }
    }
}

/// Runs the steps on a fresh session, up to the first call that gets no answer.
fn attempt(worker: &mut Worker<'_>, steps: Vec<Step>) -> Option<(Execution, Vec<Verdict>)> {
    worker.drop_session();
    worker.fresh_session().ok()?;
    let mut session = worker.session.take()?;
    let mut history: Vec<(Step, Arc<Exchange>)> = Vec::new();
    let (mut outcomes, mut verdicts) = (Vec::new(), Vec::new());
    for step in &steps {
        if !worker.may_go_on() || !session.is_open() {
            break;
        }
        for (step, exchange) in send(std::slice::from_ref(step), &mut session, &history) {
            worker.record.calls += 1;
            worker.shared.count_call();
            note_late(&mut history, &session.late());
            let outcome = Outcome::of(&exchange);
            let stray = session.stray();
            verdicts.extend(worker.judge.exchange(
                Some(&step),
                &exchange,
                &outcome,
                &history,
                &stray,
            ));
            outcomes.push(outcome);
            history.push((step, exchange));
        }
        let hangs = history.last().is_some_and(|(step, exchange)| {
            is_silent(exchange) && !matches!(step.role, Role::Cancelled { .. })
        });
        if hangs {
            break;
        }
    }
    worker.sessions.close(session);
    let (steps, exchanges) = history.into_iter().unzip();
    let case = Case { phase: Phase::Protocol, steps };
    Some((Execution { case, exchanges, outcomes, stray: Vec::new(), closing: None }, verdicts))
}
