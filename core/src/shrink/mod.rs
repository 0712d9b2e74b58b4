//! Shrinking: from the case that found a fault to the smallest one that shows it, each attempt on a fresh session.

mod arguments;
mod confirm;
mod steps;

pub(crate) use confirm::{OVERRUN, SILENCE_PATIENCE, confirm, is_silent, polish};
pub(crate) use steps::Traced;

use crate::case::Case;
use crate::execute::Verdict;
use crate::lints::Execution;
use crate::worker::Worker;
use std::time::{Duration, Instant};

/// How an execution for confirming or shrinking is made; as a rule at once and on a fresh session.
#[derive(Debug, Clone, Default)]
pub(crate) struct Manner {
    /// A pause between each change and the next look.
    pub(crate) pause: Duration,
    /// The time for each answer, where it is not the usual one.
    pub(crate) patience: Option<Duration>,
    /// Whether the session of the execution before may be used again.
    pub(crate) warm: bool,
    /// Whether the last answer is followed by a moment in which more may come.
    pub(crate) listens: bool,
}

/// Lints that judge what comes besides the answers, which may be after them.
const OF_OTHER_FRAMES: &[&str] =
    &["response_unique", "response_id_unknown", "stdio_stdout_clean", "progress_stops"];

/// Runs candidates and keeps count.
pub(crate) struct Attempts<'w, 'a> {
    worker: &'w mut Worker<'a>,
    fingerprint: String,
    /// Executions left.
    left: u32,
    /// Executions done.
    pub(crate) done: u32,
    /// How the next executions are made.
    manner: Manner,
    /// When they must be over, where that is sooner than the run's time says.
    until: Option<Instant>,
    /// Whether the fault is confirmed and only its case is to become smaller, which may take less of the run's time.
    polishing: bool,
}

/// A candidate that shows the fault.
#[derive(Debug, Clone)]
pub(crate) struct Shown {
    pub(crate) execution: Execution,
    pub(crate) verdict: Verdict,
}

impl Shown {
    /// Index of the failing step.
    pub(crate) fn failing_step(&self) -> usize {
        self.verdict.step.unwrap_or_else(|| self.execution.case.steps.len().saturating_sub(1))
    }
}

impl<'w, 'a> Attempts<'w, 'a> {
    fn new(worker: &'w mut Worker<'a>, fingerprint: &str, lint: &str, left: u32) -> Self {
        Self {
            worker,
            fingerprint: fingerprint.to_owned(),
            left,
            done: 0,
            manner: Manner { listens: OF_OTHER_FRAMES.contains(&lint), ..Manner::default() },
            until: None,
            polishing: false,
        }
    }

    /// Whether another execution is within the budget.
    fn may_go_on(&self) -> bool {
        self.left > 0
            && !self.worker.shared.is_cancelled()
            && self.until.is_none_or(|until| Instant::now() < until)
            && (self.manner.patience.is_some() || self.worker.settling_time_left(self.polishing))
    }

    /// Runs a case; what it brought if it shows the fault.
    fn show(&mut self, case: &Case) -> Option<Shown> {
        if !self.may_go_on() {
            return None;
        }
        let (execution, verdicts) = self.run(case)?;
        let verdict =
            verdicts.into_iter().find(|verdict| verdict.fingerprint() == self.fingerprint)?;
        Some(Shown { execution, verdict })
    }

    /// As [`Attempts::show`], with a pause between each change and the next look.
    fn show_with(&mut self, case: &Case, pause: Duration) -> Option<Shown> {
        let listens = self.manner.listens;
        let paused = Manner { pause, listens, ..Manner::default() };
        let before = std::mem::replace(&mut self.manner, paused);
        let shown = self.show(case);
        self.manner = before;
        shown
    }

    fn run(&mut self, case: &Case) -> Option<(Execution, Vec<Verdict>)> {
        self.left = self.left.saturating_sub(1);
        self.done += 1;
        let count = case.steps.len();
        let doing = format!("shrinking ({count} {})", if count == 1 { "step" } else { "steps" });
        self.worker.shared.progress(self.worker.judge.plan, case.phase, &doing);
        self.worker.attempt_with(case, &self.manner)
    }
}
