//! What the workers of a run share: findings, budget, events.

use crate::case::Phase;
use crate::event::{Event, Observer};
use crate::execute::Judge;
use crate::finding::Finding;
use crate::findings::Findings;
use crate::plan::Plan;
use crate::session::CancelToken;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Progress events come at most this often.
const PROGRESS_EVERY: Duration = Duration::from_millis(100);

/// What the workers of a run share.
pub(crate) struct Shared {
    pub(crate) findings: Findings,
    observer: Option<Observer>,
    cancel: CancelToken,
    calls: AtomicU64,
    /// Set when the phases are to end, with the reason.
    ended_by: Mutex<Option<&'static str>>,
    stop: AtomicBool,
    last_progress: Mutex<Instant>,
    /// Calls and time after which the phase at hand ends.
    phase_limit: Mutex<(u64, Duration)>,
    shrink_micros: AtomicU64,
    /// Time kept for what is to be confirmed after the phases.
    reserved_micros: AtomicU64,
    /// Time spent waiting for answers that never came.
    silent_micros: AtomicU64,
    /// Fingerprints of faults that wait until the phases are over, of all workers.
    deferred: Mutex<Vec<String>>,
    /// Whether only settling is left to do.
    settling: AtomicBool,
}

impl Shared {
    /// Nothing found, nothing spent.
    pub(crate) fn new(observer: Option<Observer>, cancel: CancelToken) -> Self {
        Self {
            findings: Findings::default(),
            observer,
            cancel,
            calls: AtomicU64::new(0),
            ended_by: Mutex::new(None),
            stop: AtomicBool::new(false),
            last_progress: Mutex::new(Instant::now()),
            phase_limit: Mutex::new((u64::MAX, Duration::MAX)),
            shrink_micros: AtomicU64::new(0),
            reserved_micros: AtomicU64::new(0),
            silent_micros: AtomicU64::new(0),
            deferred: Mutex::new(Vec::new()),
            settling: AtomicBool::new(false),
        }
    }

    /// Whether the budget of the run and of the phase allows another call.
    pub(crate) fn may_go_on(&self, plan: &Plan) -> bool {
        if self.stop.load(Ordering::Relaxed) {
            return false;
        }
        let calls = self.calls();
        let over_time = plan.elapsed() >= self.time_limit(plan);
        let reason = if self.cancel.is_cancelled() {
            "interrupted"
        } else if calls >= plan.max_calls() {
            "calls"
        } else if plan.input.fail_fast && self.findings.has_error() {
            "fail_fast"
        } else if over_time {
            "time"
        } else {
            let limit = self.phase_limit.lock().unwrap_or_else(PoisonError::into_inner);
            return calls < limit.0 && self.phase_time(plan) < limit.1;
        };
        self.end(reason);
        false
    }

    /// Whether the phase at hand has had its share of the time, or the run all of it, however few the calls.
    pub(crate) fn phase_is_over(&self, plan: &Plan) -> bool {
        let limit = self.phase_limit.lock().unwrap_or_else(PoisonError::into_inner).1;
        self.phase_time(plan) >= limit || plan.elapsed() >= plan.time_limit
    }

    /// The time that counts for the phases' shares: one call without an answer must not cost the other tools the phase.
    fn phase_time(&self, plan: &Plan) -> Duration {
        let silent = Duration::from_micros(self.silent_micros.load(Ordering::Relaxed));
        plan.elapsed().saturating_sub(silent)
    }

    /// Says that only settling is left to do.
    pub(crate) fn phases_are_over(&self) {
        self.settling.store(true, Ordering::Relaxed);
    }

    /// Whether only settling is left to do.
    pub(crate) fn are_phases_over(&self) -> bool {
        self.settling.load(Ordering::Relaxed)
    }

    /// Keeps time for confirming after the phases.
    pub(crate) fn reserve(&self, time: Duration) {
        let micros = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        self.reserved_micros.fetch_max(micros, Ordering::Relaxed);
    }

    /// Adds to the time spent waiting for answers that never came: the shares of the phases do not count it.
    pub(crate) fn add_silence(&self, time: Duration) {
        let micros = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        self.silent_micros.fetch_add(micros, Ordering::Relaxed);
    }

    /// Puts a fault off until the phases are over; those to come first are confirmed first.
    pub(crate) fn defer(&self, fingerprint: String, first: bool) {
        let mut deferred = self.deferred.lock().unwrap_or_else(PoisonError::into_inner);
        let at = if first { 0 } else { deferred.len() };
        deferred.insert(at, fingerprint);
    }

    /// What was put off.
    pub(crate) fn take_deferred(&self) -> Vec<String> {
        std::mem::take(&mut self.deferred.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// When the phases end.
    fn time_limit(&self, plan: &Plan) -> Duration {
        let reserved = Duration::from_micros(self.reserved_micros.load(Ordering::Relaxed));
        plan.time_limit.saturating_sub(reserved)
    }

    /// Bounds the phase that begins: by a share of the run's time, and so that later phases have calls left.
    pub(crate) fn limit(&self, plan: &Plan, phase: Phase, share: f64) {
        let most = plan.max_calls();
        let calls = match phase {
            Phase::Stateful if plan.has(Phase::Parallel) => most - most / 5,
            Phase::Protocol if plan.has(Phase::Parallel) => most - most / 8,
            _ => most,
        };
        *self.phase_limit.lock().unwrap_or_else(PoisonError::into_inner) =
            (calls, self.time_limit(plan).mul_f64(share));
    }

    /// Whether the phases are to end.
    pub(crate) fn has_ended(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.cancel.is_cancelled()
    }

    /// Adds to the time spent on confirming and shrinking.
    pub(crate) fn add_shrink_time(&self, time: Duration) {
        self.shrink_micros
            .fetch_add(u64::try_from(time.as_micros()).unwrap_or(u64::MAX), Ordering::Relaxed);
    }

    /// Seconds spent on confirming and shrinking.
    pub(crate) fn shrink_seconds(&self) -> f64 {
        Duration::from_micros(self.shrink_micros.load(Ordering::Relaxed)).as_secs_f64()
    }

    /// Ends the phases.
    pub(crate) fn end(&self, reason: &'static str) {
        self.stop.store(true, Ordering::Relaxed);
        self.ended_by.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(reason);
    }

    /// What ended the phases.
    pub(crate) fn ended_by(&self) -> &'static str {
        let known = *self.ended_by.lock().unwrap_or_else(PoisonError::into_inner);
        known.unwrap_or(if self.is_cancelled() { "interrupted" } else { "complete" })
    }

    /// Whether the user wants the run to end.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.cancel.is_cancelled()
    }

    /// Counts a call of the phases.
    pub(crate) fn count_call(&self) {
        self.count_calls(1);
    }

    /// Counts several.
    pub(crate) fn count_calls(&self, calls: u64) {
        self.calls.fetch_add(calls, Ordering::Relaxed);
    }

    /// Calls of the phases so far.
    pub(crate) fn calls(&self) -> u64 {
        self.calls.load(Ordering::Relaxed)
    }

    /// How many calls the budget of the run and of the phase leaves.
    pub(crate) fn calls_left(&self, plan: &Plan) -> u64 {
        let limit = self.phase_limit.lock().unwrap_or_else(PoisonError::into_inner).0;
        plan.max_calls().min(limit).saturating_sub(self.calls())
    }

    /// Hands an event to the observer.
    pub(crate) fn emit(&self, event: &Event) {
        if let Some(observer) = &self.observer {
            observer(event);
        }
    }

    /// Tells how far the run is, a few times a second.
    pub(crate) fn progress(&self, plan: &Plan, phase: Phase, doing: &str) {
        if self.observer.is_none() {
            return;
        }
        {
            let mut last = self.last_progress.lock().unwrap_or_else(PoisonError::into_inner);
            if last.elapsed() < PROGRESS_EVERY {
                return;
            }
            *last = Instant::now();
        }
        self.emit(&Event::Progress {
            phase,
            calls: self.calls(),
            seconds: plan.elapsed().as_secs_f64(),
            findings: self.findings.count(),
            doing: doing.to_owned(),
        });
    }

    /// Tells of a finding that came up for the first time.
    pub(crate) fn announce_new(&self, judge: Judge<'_>, fingerprint: &str) {
        let (calls, seconds) = (self.calls(), judge.plan.elapsed().as_secs_f64());
        self.announce(judge, fingerprint, |finding| Event::FindingFound {
            finding,
            calls,
            seconds,
        });
    }

    /// Tells of a finding as it stands.
    pub(crate) fn announce(
        &self,
        judge: Judge<'_>,
        fingerprint: &str,
        event: impl FnOnce(Box<Finding>) -> Event,
    ) {
        if self.observer.is_none() {
            return;
        }
        if let Some(found) = self.findings.get(fingerprint) {
            let finding = crate::assemble::finding(judge, fingerprint, &found);
            let finding = crate::redact::Redactor::new(&judge.plan.input).finding(finding);
            self.emit(&event(Box::new(finding)));
        }
    }
}
