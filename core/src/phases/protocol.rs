//! The protocol phase: the probes that lints plan, sent once each and judged.

use crate::case::{Action, Phase};
use crate::exchange::Exchange;
use crate::execute::{Judge, Verdict};
use crate::lints::{Hook, ListContext, ProbeContext, Seen, Setting};
use crate::outcome::Outcome;
use crate::probe::{self, Opener, ProbeRun};
use crate::protocol::Era;
use crate::session::Session;
use crate::shared::Shared;
use crate::worker::Worker;
use std::time::Duration;

/// Runs the probes and judges what came of them.
pub(crate) fn run(worker: &mut Worker<'_>) {
    let judge = worker.judge;
    let seen = seen(worker);
    let list = ListContext {
        revision: judge.revision,
        input: &judge.plan.input,
        server: judge.server,
        catalog: judge.catalog,
        seen: &seen,
    };
    let settings: Vec<&Setting> = judge.plan.suite.at(Hook::Probe, judge.revision).collect();
    let planned: Vec<_> = settings.iter().map(|setting| setting.lint.probes(&list)).collect();
    let runs = probe::run(&planned, worker);
    let all = unique(&runs);
    // What older clients get is no matter of the newest revision's rules.
    let of_older = |exchange: &&Exchange| {
        judge.revision.era() == Era::Modern && exchange.method == "initialize"
    };
    let exchanges = all.iter().flat_map(|run| &run.steps).flat_map(|step| &step.exchanges);
    for exchange in exchanges.filter(|exchange| !of_older(exchange)) {
        judge_exchange(judge, worker.shared, exchange);
    }
    let mut problems = Vec::new();
    for (setting, runs) in settings.into_iter().zip(&runs) {
        setting.lint.probed(&ProbeContext { list: &list, runs, all: &all }, &mut problems);
        for problem in problems.drain(..) {
            note(judge, worker.shared, Verdict::new(setting, problem, None, false));
        }
    }
}

/// Refused calls of one tool that probes may repeat.
const REFUSED: usize = 3;

/// The calls that probes may repeat.
fn seen(worker: &Worker<'_>) -> Seen {
    let mind = &worker.mind;
    let exemplars = mind.callable.iter().flat_map(|tool| mind.exemplars.of(*tool));
    let alone = exemplars.filter(|exemplar| exemplar.case.steps.len() == 1);
    let calls = alone.filter_map(|exemplar| match &exemplar.case.steps[0].action {
        Action::CallTool { tool, arguments } => Some((tool.clone(), arguments.clone())),
        _ => None,
    });
    let never = worker.record.tools.iter().filter(|tool| tool.ok == 0 && tool.broken == 0);
    let refused = never.flat_map(|tool| {
        let errors = tool.errors.values().take(REFUSED);
        errors.map(|error| (tool.name.clone(), error.arguments.clone()))
    });
    Seen {
        calls: calls.collect(),
        refused: refused.collect(),
        questions: worker.record.questions.clone(),
    }
}

/// Every probe that ran, once.
fn unique(runs: &[Vec<ProbeRun>]) -> Vec<ProbeRun> {
    let mut all: Vec<ProbeRun> = Vec::new();
    for run in runs.iter().flatten() {
        if !all.iter().any(|other| other.probe.name == run.probe.name) {
            all.push(run.clone());
        }
    }
    all
}

fn judge_exchange(judge: Judge<'_>, shared: &Shared, exchange: &Exchange) {
    for verdict in judge.exchange(None, exchange, &Outcome::of(exchange), &[], &[]) {
        note(judge, shared, verdict);
    }
}

fn note(judge: Judge<'_>, shared: &Shared, verdict: Verdict) {
    if let Some(fingerprint) = shared.findings.note(verdict, Phase::Protocol, || None) {
        shared.announce_new(judge, &fingerprint);
    }
}

impl Opener for Worker<'_> {
    fn open(&mut self) -> Result<Session, String> {
        // The session that fetched the lists, or one that is waiting for the next sequence.
        if let Some(session) = self.session.take().filter(Session::is_open) {
            return Ok(session);
        }
        self.record.sessions += 1;
        self.sessions.open().map_err(|error| error.to_string())
    }

    fn connect(&mut self) -> Result<Session, String> {
        self.drop_session();
        self.record.sessions += 1;
        self.sessions.connect().map_err(|error| error.to_string())
    }

    fn close(&mut self, session: Session) {
        self.sessions.close(session);
    }

    fn has_ended(&self) -> Option<String> {
        // Probes are no calls: only the time counts.
        let late = self.shared.phase_is_over(self.judge.plan);
        (late || self.shared.is_cancelled()).then(|| "the run's time was used up".to_owned())
    }

    fn patience(&self) -> Duration {
        Duration::from_secs_f64(self.judge.plan.input.request_timeout)
    }
}
