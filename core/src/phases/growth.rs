//! Growth: tools that only read, and of which the run has a sign of growth, are called over and over with the same arguments.

use crate::case::{Role, Step};
use crate::exchange::Exchange;
use crate::execute::send;
use crate::outcome::{Outcome, OutcomeKind};
use crate::record::Soak;
use crate::sequence::exemplar::followed;
use crate::session::Session;
use crate::worker::Worker;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Calls of one soak.
const CALLS: usize = 360;
/// Time for one soak, and as a share of the run's.
const TIME: Duration = Duration::from_secs(6);
const SHARE: f64 = 0.1;
/// Memory is looked at after so many calls.
const EVERY: usize = 6;
/// Tools called over and over for each kind of sign.
const TOOLS: usize = 2;

/// Calls the suspects over and over, each twice on fresh sessions: what grows by chance does not do it again.
pub(crate) fn run(worker: &mut Worker<'_>) {
    let (memory, times) = worker.growth.suspects();
    let mut suspects: Vec<usize> = memory.into_iter().take(TOOLS).collect();
    for tool in times.into_iter().take(TOOLS) {
        if !suspects.contains(&tool) {
            suspects.push(tool);
        }
    }
    for tool in suspects {
        for _ in 0..2 {
            if let Some(soak) = soak(worker, tool) {
                worker.record.soaks.push(soak);
            }
        }
    }
}

fn soak(worker: &mut Worker<'_>, tool: usize) -> Option<Soak> {
    let plan = worker.judge.plan;
    if worker.shared.is_cancelled() || plan.elapsed() > plan.time_limit {
        return None;
    }
    let exemplar = worker.mind.exemplars.of(tool).first()?.clone();
    let mut steps = followed(std::slice::from_ref(&exemplar), |call| vec![call.clone()]);
    let call = steps.pop()?;
    worker.drop_session();
    worker.fresh_session().ok()?;
    let mut session = worker.session.take()?;
    let mut history: Vec<(Step, Arc<Exchange>)> = Vec::new();
    for step in &steps {
        history.extend(send(std::slice::from_ref(step), &mut session, &history));
    }
    let until = Instant::now() + TIME.min(plan.time_limit.mul_f64(SHARE));
    let soak = over_and_over(&call, &mut session, &history, until);
    // Whether there is a soak at all depends on times, and what a seed repeats must not.
    worker.record.sessions -= 1;
    worker.sessions.close(session);
    Some(soak)
}

fn over_and_over(
    call: &Step,
    session: &mut Session,
    history: &[(Step, Arc<Exchange>)],
    until: Instant,
) -> Soak {
    let call = Step { role: Role::Call, ..call.clone() };
    let mut soak =
        Soak { tool: call.action.tool().unwrap_or_default().to_owned(), ..Soak::default() };
    while soak.elapsed.len() < CALLS && Instant::now() < until && session.is_open() {
        let Some((sent, exchange)) = send(std::slice::from_ref(&call), session, history).pop()
        else {
            break;
        };
        drop(session.stray());
        if Outcome::of(&exchange).kind != OutcomeKind::Ok {
            break;
        }
        if soak.elapsed.is_empty() {
            soak.arguments = sent.action.arguments().cloned().unwrap_or_default();
        }
        soak.elapsed.push(exchange.elapsed);
        if soak.elapsed.len().is_multiple_of(EVERY)
            && let Some(kib) = session.resident_kib()
        {
            soak.memory.push((soak.elapsed.len(), kib));
        }
    }
    soak
}
