//! A worker: one session at a time, sequence after sequence, until the budget is spent.

mod counting;
mod settling;

use crate::case::{Case, Label, Phase, Role, Step};
use crate::error::Error;
use crate::execute::{Judge, Verdict, send_one};
use crate::growth::Growth;
use crate::lints::Execution;
use crate::outcome::{Outcome, OutcomeKind};
use crate::record::{Record, ToolRecord};
use crate::screen::Lane;
use crate::sequence::choose::Use;
use crate::sequence::live::Live;
use crate::sequence::mind::Mind;
use crate::sequence::template;
use crate::session::{Closing, Session};
use crate::sessions::Sessions;
use crate::shared::Shared;
use crate::shrink::Manner;
use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Sequences that all begin and end with a look at what the server offers.
const OFFERS: u64 = 12;
/// Later ones look this seldom: the answer is as long as those of dozens of calls.
const OFFER_EVERY: u64 = 3;

/// One of a run's workers.
pub(crate) struct Worker<'a> {
    pub(crate) judge: Judge<'a>,
    pub(crate) shared: &'a Shared,
    pub(crate) sessions: Sessions<'a>,
    pub(crate) session: Option<Session>,
    pub(crate) mind: Mind,
    pub(crate) record: Record,
    /// Fingerprints of faults that are still to be confirmed and shrunk.
    pub(crate) unsettled: Vec<String>,
    /// The same of faults that are confirmed, and that there was no time to shrink yet.
    unpolished: Vec<String>,
    /// How often each tool's list was walked page by page.
    pub(crate) walks: BTreeMap<usize, u32>,
    /// What may be screened.
    pub(crate) lane: Lane,
    /// Calls of the sequence at hand that are to be kept as evidence.
    samples: Vec<counting::Wanted>,
    /// Signs of growth.
    pub(crate) growth: Growth,
    /// Sequences begun.
    sequences: u64,
    /// Which worker this is, from 0, and of how many.
    pub(crate) share: (usize, usize),
}

impl<'a> Worker<'a> {
    /// A worker that starts with an open session or opens its own.
    pub(crate) fn new(
        judge: Judge<'a>,
        shared: &'a Shared,
        sessions: Sessions<'a>,
        session: Option<Session>,
        share: (usize, usize),
    ) -> Self {
        let seed = judge.plan.seed
            ^ (share.0 as u64 + judge.plan.shard.0 * 1000).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let tools = judge.catalog.tools.iter();
        let record = Record {
            tools: tools
                .map(|tool| ToolRecord {
                    name: tool.name.clone(),
                    not_called: judge.plan.forbids(tool),
                    ..ToolRecord::default()
                })
                .collect(),
            ..Record::default()
        };
        let mind = Mind::new(judge.catalog, judge.plan, seed);
        Self {
            judge,
            shared,
            sessions,
            session,
            mind,
            record,
            unsettled: Vec::new(),
            unpolished: Vec::new(),
            walks: BTreeMap::new(),
            lane: Lane::new(judge, seed),
            samples: Vec::new(),
            growth: Growth::default(),
            sequences: 0,
            share,
        }
    }

    /// Whether this worker may go on with the phases.
    pub(crate) fn may_go_on(&self) -> bool {
        self.shared.may_go_on(self.judge.plan)
    }

    /// Runs one sequence on a fresh session; its agenda comes before anything chosen freely. Tells how many steps were sent, without
    /// the looks before and after.
    ///
    /// # Errors
    /// Where no session can be opened.
    pub(crate) fn sequence(&mut self, mut live: Live) -> Result<usize, Error> {
        self.fresh_session()?;
        self.mind.begin_sequence();
        self.growth.begin_session();
        self.mind.open(&mut live);
        let lists = live.phase == Phase::Stateful
            && (self.sequences < OFFERS || self.sequences.is_multiple_of(OFFER_EVERY));
        let drills =
            live.phase == Phase::Stateful && live.first.is_none() && self.sequences % 4 != 3;
        self.sequences += 1;
        if live.phase == Phase::Stateful && live.first.is_none() {
            self.mind.plan_first_looks(&mut live, self.judge.catalog);
        }
        if drills {
            self.mind.plan_drill(&mut live);
        }
        if lists {
            self.look_at_offer(&mut live);
        }
        let begun = live.history.len();
        while !live.is_over()
            && !live.is_blocked()
            && self.may_go_on()
            && self.session.as_ref().is_some_and(Session::is_open)
        {
            let Some((step, uses)) = self.mind.next(&mut live, self.judge.catalog) else {
                break;
            };
            self.perform(&mut live, step, &uses);
        }
        let done = live.history.len() - begun;
        if !live.is_blocked() {
            crate::phases::pages::walk(self, &mut live);
            if lists {
                self.look_at_offer(&mut live);
            }
        }
        self.end_sequence(live);
        Ok(done)
    }

    /// Asks what tools there are: calls must not change that without a word.
    fn look_at_offer(&mut self, live: &mut Live) {
        let step = template::look_at_offer();
        if self.session.as_ref().is_some_and(Session::is_open) {
            self.perform(live, step, &[]);
        }
    }

    /// Sends one step, judges and learns.
    pub(crate) fn perform(&mut self, live: &mut Live, step: Step, uses: &[Use]) {
        let Some(session) = self.session.as_mut() else {
            return;
        };
        let reads = self.mind.reads_only(&step, self.judge.catalog);
        let weighed = reads.filter(|tool| self.growth.wants_memory(*tool, live.history.len()));
        let before = weighed.and_then(|_| session.resident_kib());
        let (step, exchange) = send_one(step, session, &live.history);
        let stray = session.stray();
        let outcome = Outcome::of(&exchange);
        if let Some(tool) = reads.filter(|_| outcome.kind == OutcomeKind::Ok) {
            let memory = before.and_then(|before| Some((before, session.resident_kib()?)));
            self.growth.note(tool, memory, exchange.elapsed);
        }
        let verdicts = self.judge.exchange(Some(&step), &exchange, &outcome, &live.history, &stray);
        live.stray.extend(stray);
        live.outcomes.push(outcome);
        live.history.push((step, exchange));
        self.count(live);
        self.mind.learn(live, uses, outcome, self.judge.catalog, self.judge.plan);
        self.tell_news();
        let phase = phase_of(live.history.last().map(|(step, _)| step), live.phase);
        let so_far = OnceCell::new();
        for verdict in verdicts {
            let shared = || so_far.get_or_init(|| Arc::new(live.execution()));
            self.note(verdict, phase, || Arc::clone(shared()));
        }
        self.shared.progress(self.judge.plan, live.phase, "");
    }

    /// Takes a verdict into the findings.
    pub(crate) fn note<E: Into<Arc<Execution>>>(
        &mut self,
        verdict: Verdict,
        phase: Phase,
        execution: impl FnOnce() -> E,
    ) {
        let execution = || Some(execution().into());
        if let Some(fingerprint) = self.shared.findings.note(verdict, phase, execution) {
            self.shared.announce_new(self.judge, &fingerprint);
            self.unsettled.push(fingerprint);
        }
    }

    /// Judges the whole sequence, closes its session, and settles what was found.
    pub(crate) fn end_sequence(&mut self, live: Live) {
        self.record.phases.entry(live.phase).or_default().cases += 1;
        let phase = live.phase;
        let alive = self.session.as_ref().is_some_and(Session::is_open);
        let execution = Arc::new(live.into_execution());
        if alive {
            self.sample_memory(execution.exchanges.len() as u64);
        }
        self.harvest(&execution);
        self.keep_samples(&execution);
        self.lane.gather(&execution, self.judge.catalog);
        for verdict in self.judge.case(&execution, &[]) {
            self.note(verdict, phase, || Arc::clone(&execution));
        }
        self.drop_session();
        self.settle_all();
    }

    /// Keeps successful calls for the parallel phase.
    fn harvest(&mut self, execution: &Execution) {
        let fits = |at: usize| {
            let step = &execution.case.steps[at];
            let plain = matches!(step.role, Role::Call | Role::Subject { .. })
                && step.label == crate::case::Label::Valid;
            plain && execution.outcomes[at].kind == OutcomeKind::Ok
        };
        let catalog = self.judge.catalog;
        let tool_of = |name: &str| catalog.tool(name).map(|tool| tool.index);
        let opens = |at: usize| self.mind.openers.hold(&execution.case.steps[at]);
        let opening: Vec<usize> = (0..execution.exchanges.len())
            .filter(|at| execution.outcomes[*at].kind == OutcomeKind::Ok && opens(*at))
            .collect();
        let exemplars = &mut self.mind.exemplars;
        crate::sequence::exemplar::harvest(exemplars, execution, &opening, tool_of, fits);
    }

    /// Opens a session unless there is one that nothing was sent on.
    ///
    /// # Errors
    /// Where none can be opened.
    pub(crate) fn fresh_session(&mut self) -> Result<(), Error> {
        if self.session.is_none() {
            self.session = Some(self.sessions.open()?);
            self.record.sessions += 1;
        }
        Ok(())
    }

    /// Closes the session at hand.
    pub(crate) fn drop_session(&mut self) {
        if let Some(session) = self.session.take() {
            self.sessions.close(session);
        }
    }

    /// Runs a case on a fresh session for confirming or shrinking; none where no session can be opened.
    pub(crate) fn attempt(&mut self, case: &Case) -> Option<(Execution, Vec<Verdict>)> {
        self.attempt_with(case, &Manner::default())
    }

    /// As [`Worker::attempt`], in another manner.
    pub(crate) fn attempt_with(
        &mut self,
        case: &Case,
        manner: &Manner,
    ) -> Option<(Execution, Vec<Verdict>)> {
        if !manner.warm || !self.session.as_ref().is_some_and(Session::is_open) {
            self.drop_session();
        }
        self.fresh_session().ok()?;
        let session = self.session.as_mut()?;
        if let Some(patience) = manner.patience {
            session.allow_time(patience);
        }
        let (execution, mut verdicts) =
            crate::execute::run_case(case, session, &self.judge, manner);
        let sent = execution.case.steps.iter().zip(&execution.exchanges);
        for ((step, exchange), outcome) in sent.zip(&execution.outcomes) {
            self.trace(case.phase, step, exchange, *outcome);
        }
        self.record.shrink_calls += execution.exchanges.len() as u64;
        verdicts.extend(self.judge.case(&execution, &[]));
        if !manner.warm {
            self.drop_session();
        }
        Some((execution, verdicts))
    }

    fn sample_memory(&mut self, calls: u64) {
        if let Some(kib) = self.session.as_ref().and_then(Session::resident_kib) {
            let session = self.record.sessions;
            self.record.memory.push(crate::record::MemorySample { session, calls, kib });
        }
    }

    /// Ends the worker: its record and how its sessions ended.
    pub(crate) fn finish(mut self) -> (Record, Mind, Vec<Closing>) {
        // Another worker shrinks what this one had no time for.
        for fingerprint in std::mem::take(&mut self.unpolished) {
            self.shared.defer(fingerprint, false);
        }
        self.drop_session();
        let closings = self.sessions.finish();
        (self.record, self.mind, closings)
    }
}

/// The phase that reports name: steps at edges and invalid steps are mixed into stateful sequences.
fn phase_of(step: Option<&Step>, phase: Phase) -> Phase {
    match step {
        Some(Step { label: Label::Invalid { .. }, .. }) => Phase::Negative,
        Some(Step { role: crate::case::Role::Boundary { .. }, .. }) => Phase::Boundary,
        _ => phase,
    }
}
