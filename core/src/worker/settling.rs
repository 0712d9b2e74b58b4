//! Settling: which faults are confirmed and shrunk when, and how much of the run's time that may take.

use super::Worker;
use crate::event::Event;
use crate::lints::Level;
use crate::shrink::{OVERRUN, SILENCE_PATIENCE};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// A server that takes longer to start shows what it has before anything of it is confirmed.
const COSTLY_START: Duration = Duration::from_secs(3);
/// The part of the run's time that is kept for a call without an answer, at most: to leave out what it does not need, and to wait.
const KEPT_FOR_SILENCE: f64 = 0.45;
/// Starts that confirming and shrinking take at least.
const STARTS_TO_CONFIRM: u32 = 5;

impl Worker<'_> {
    /// Confirms the errors found since the last time, then shrinks them. Warnings wait until the phases are over, so that finding
    /// comes before polishing; so do calls without an answer, which take long to confirm, and all of a server that takes long to start.
    pub(crate) fn settle_all(&mut self) {
        let plan = self.judge.plan;
        let start = self.sessions.last_start();
        let mut errors = Vec::new();
        for fingerprint in std::mem::take(&mut self.unsettled) {
            let found = self.shared.findings.get(&fingerprint);
            let time = match found.filter(|found| found.verdict.level == Level::Error) {
                Some(found) if crate::shrink::is_silent(&found) => {
                    let usual = Duration::from_secs_f64(plan.input.request_timeout);
                    (usual * SILENCE_PATIENCE).min(plan.time_limit.mul_f64(KEPT_FOR_SILENCE))
                }
                Some(_) if start > COSTLY_START => {
                    (start * STARTS_TO_CONFIRM).min(plan.time_limit / 3)
                }
                Some(_) => {
                    errors.push(fingerprint);
                    continue;
                }
                None => Duration::ZERO,
            };
            self.shared.reserve(time);
            self.shared.defer(fingerprint, !time.is_zero());
        }
        self.settle(errors);
    }

    /// Confirms and shrinks what waited for the phases to end, of this worker and of those that ended before it.
    pub(crate) fn settle_deferred(&mut self) {
        self.shared.phases_are_over();
        // The time may end before all are settled: one of each lint comes before the second of any.
        let mut seen: BTreeMap<&'static str, u32> = BTreeMap::new();
        let mut waiting: Vec<(u32, String)> = Vec::new();
        for fingerprint in self.shared.take_deferred() {
            let lint =
                self.shared.findings.get(&fingerprint).map_or("", |found| found.verdict.lint);
            let turn = seen.entry(lint).or_default();
            waiting.push((*turn, fingerprint));
            *turn += 1;
        }
        waiting.sort_by_key(|(turn, _)| *turn);
        let left = std::mem::take(&mut self.unpolished);
        self.settle(waiting.into_iter().map(|(_, fingerprint)| fingerprint).collect());
        // What came to light while others were settled.
        let more = std::mem::take(&mut self.unsettled);
        self.settle(more);
        self.polish(left);
    }

    /// Confirms each of these faults, then shrinks those that stand.
    fn settle(&mut self, fingerprints: Vec<String>) {
        let mut standing = Vec::new();
        for fingerprint in fingerprints {
            if self.shared.is_cancelled() {
                return;
            }
            let started = Instant::now();
            let worthwhile = crate::shrink::confirm(self, &fingerprint);
            self.drop_session();
            self.shared.add_shrink_time(started.elapsed());
            if worthwhile {
                standing.push(fingerprint);
            } else {
                self.announce_settled(&fingerprint);
            }
        }
        self.polish(standing);
    }

    /// Shrinks faults that stand; what there is no time for waits until the phases are over.
    fn polish(&mut self, fingerprints: Vec<String>) {
        for fingerprint in fingerprints {
            if self.shared.is_cancelled() {
                return;
            }
            if !self.shared.are_phases_over() && !self.settling_time_left(true) {
                self.unpolished.push(fingerprint);
                continue;
            }
            let started = Instant::now();
            crate::shrink::polish(self, &fingerprint);
            self.drop_session();
            self.shared.add_shrink_time(started.elapsed());
            self.announce_settled(&fingerprint);
        }
    }

    fn announce_settled(&self, fingerprint: &str) {
        if self.shared.findings.get(fingerprint).is_some_and(|found| !found.withdrawn) {
            self.shared
                .announce(self.judge, fingerprint, |finding| Event::FindingShrunk { finding });
        }
    }

    /// Whether confirming, or shrinking what is confirmed (`polishing`), may take more time: while the phases go on, at most 40 %
    /// of the run's, of which shrinking leaves a part to what is yet to be confirmed; then what the phases left, and little more.
    pub(crate) fn settling_time_left(&self, polishing: bool) -> bool {
        let limit = self.judge.plan.time_limit;
        let share = if polishing { 0.25 } else { 0.4 };
        let within = self.shared.shrink_seconds() < limit.as_secs_f64() * share;
        let until = if within { OVERRUN } else { 1.0 };
        (within || self.shared.are_phases_over())
            && self.judge.plan.elapsed() < limit.mul_f64(until)
    }
}
