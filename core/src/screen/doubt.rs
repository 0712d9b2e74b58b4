//! Answers that need a closer look: they go the ordinary way.

use super::history::History;
use super::lane::Lane;
use super::ride::{Flight, Ride};
use crate::case::{Case, Phase, Role, Step};
use crate::exchange::{Exchange, Reply};
use crate::execute::{Verdict, relabel};
use crate::lints::{Execution, Level};
use crate::message::Frame;
use crate::outcome::{Outcome, OutcomeKind};
use crate::sequence::live::Live;
use crate::sequence::template;
use crate::session::Sent;
use crate::worker::Worker;
use serde_json::Value;
use std::time::Instant;

/// A fault that a call of a session showed.
pub(super) struct Doubt {
    verdict: Verdict,
    execution: Execution,
    /// The call's number.
    call: usize,
}

/// Reads the answers to all calls that have none yet, judges them, and remembers the kinds of those that are good.
pub(super) fn look(worker: &mut Worker<'_>, lane: &mut Lane, ride: &mut Ride, started: Instant) {
    let open: Vec<Flight> = ride.flights.drain(..).filter(|flight| !flight.answered).collect();
    let catalog = worker.judge.catalog;
    let arguments: Vec<Value> = open
        .iter()
        .map(|flight| serde_json::from_slice(ride.history.call(flight.call).1).unwrap_or_default())
        .collect();
    let sent: Vec<Sent<'_>> = open
        .iter()
        .zip(&arguments)
        .map(|(flight, arguments)| {
            let tool = &catalog.tools[lane.tools[flight.slot].tool].name;
            Sent { id: flight.id, tool, arguments }
        })
        .collect();
    let exchanges = ride.session.settle_sent(&sent, started);
    if worker.shared.is_cancelled() {
        ride.over = true;
        return;
    }
    let mut stray = ride.session.stray();
    for ((flight, arguments), exchange) in open.iter().zip(arguments).zip(exchanges) {
        let stray = std::mem::take(&mut stray);
        one(worker, lane, ride, flight, arguments, exchange, &stray);
    }
}

/// Judges one of them.
fn one(
    worker: &mut Worker<'_>,
    lane: &mut Lane,
    ride: &mut Ride,
    flight: &Flight,
    arguments: Value,
    exchange: Exchange,
    stray: &[Frame],
) {
    let screened = &mut lane.tools[flight.slot];
    let tool = &worker.judge.catalog.tools[screened.tool];
    let mut step = template::call(&tool.name, arguments, Vec::new(), Role::Call);
    relabel(&mut step, worker.judge.catalog);
    let outcome = Outcome::of(&exchange);
    let verdicts = worker.judge.exchange(Some(&step), &exchange, &outcome, &[], stray);
    screened.odd += 1;
    if outcome.kind.is_refusal() {
        screened.pool.blame(flight.freshened);
    }
    let known = |verdict: &Verdict| {
        verdict.level < Level::Error && worker.shared.findings.get(&verdict.fingerprint()).is_some()
    };
    let plain = exchange.side.is_empty() && exchange.rounds.is_empty() && stray.is_empty();
    if outcome.kind == OutcomeKind::Ok && plain && verdicts.iter().all(known) {
        let frame = exchange.frame.as_ref().map_or(&[][..], |frame| &frame.bytes);
        let head = head_of(&exchange);
        if let Some(answer) = lane.reader.as_mut().and_then(|reader| reader.read(&head, frame)) {
            screened.remember(answer.kind);
        }
    }
    ride.over |= matches!(exchange.reply, Reply::Silence { .. } | Reply::Closed(_));
    let mut live = Live::new(Phase::Stateful, 1);
    live.objects.push(Vec::new());
    live.stray.extend_from_slice(stray);
    live.history.push((step, exchange.into()));
    live.outcomes.push(outcome);
    worker.count(&live);
    let execution = live.into_execution();
    worker.keep_samples(&execution);
    for verdict in verdicts {
        let execution = execution.clone();
        if worker.shared.findings.get(&verdict.fingerprint()).is_some() {
            worker.note(verdict, Phase::Stateful, || execution);
        } else {
            ride.over = true;
            ride.doubts.push(Doubt { verdict, execution, call: flight.call });
        }
    }
}

/// The head of an HTTP response as it was sent.
fn head_of(exchange: &Exchange) -> Vec<u8> {
    let Some(http) = &exchange.http else { return Vec::new() };
    let lines = http.headers.iter().map(|(name, value)| format!("{name}: {value}\r\n"));
    let status = format!("HTTP/1.1 {}\r\n", http.status);
    std::iter::once(status).chain(lines).collect::<String>().into_bytes()
}

/// Takes a fault into the findings: with the call alone where that shows it on a fresh session, else with the calls before it, where
/// those do.
pub(super) fn tell(worker: &mut Worker<'_>, history: &History, doubt: Doubt) {
    let Doubt { verdict, execution, call } = doubt;
    let fingerprint = verdict.fingerprint();
    let silent = execution.exchanges.iter().any(|e| matches!(e.reply, Reply::Silence { .. }));
    let again = verdict.level == Level::Error && !silent && call > 0;
    if again && worker.settling_time_left(false) && !shows(worker, &execution.case, &fingerprint) {
        let catalog = worker.judge.catalog;
        let steps = (0..=call).map(|call| {
            let (tool, arguments) = history.call(call);
            let arguments = serde_json::from_slice(arguments).unwrap_or_default();
            template::call(&catalog.tools[tool].name, arguments, Vec::new(), Role::Call)
        });
        let case = Case { phase: Phase::Stateful, steps: steps.collect::<Vec<Step>>() };
        if let Some((execution, verdicts)) = worker.attempt(&case)
            && let Some(verdict) = verdicts.into_iter().find(|v| v.fingerprint() == fingerprint)
        {
            return worker.note(verdict, Phase::Stateful, || execution);
        }
    }
    worker.note(verdict, Phase::Stateful, || execution);
}

fn shows(worker: &mut Worker<'_>, case: &Case, fingerprint: &str) -> bool {
    let attempt = worker.attempt(case);
    attempt.is_some_and(|(_, verdicts)| verdicts.iter().any(|v| v.fingerprint() == fingerprint))
}
