//! Shrinking: from the case that found a fault to the smallest one that shows it, each attempt on a fresh session.

mod arguments;
mod confirm;
mod steps;

pub(crate) use confirm::{SILENCE_PATIENCE, is_silent, settle};
pub(crate) use steps::Traced;

use crate::case::Case;
use crate::execute::Verdict;
use crate::lints::Execution;
use crate::worker::Worker;
use std::time::Duration;

/// Runs candidates and keeps count.
pub(crate) struct Attempts<'w, 'a> {
    worker: &'w mut Worker<'a>,
    fingerprint: String,
    /// Executions left.
    left: u32,
    /// Executions done.
    pub(crate) done: u32,
    /// How many times the usual time servers get for an answer.
    times: u32,
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
    fn new(worker: &'w mut Worker<'a>, fingerprint: &str, left: u32) -> Self {
        Self { worker, fingerprint: fingerprint.to_owned(), left, done: 0, times: 1 }
    }

    /// Whether another execution is within the budget.
    fn may_go_on(&self) -> bool {
        self.left > 0
            && !self.worker.shared.is_cancelled()
            && (self.times > 1 || self.worker.shrink_time_left())
    }

    /// Runs a case on a fresh session; what it brought if it shows the fault.
    fn show(&mut self, case: &Case) -> Option<Shown> {
        self.show_with(case, Duration::ZERO)
    }

    /// As [`Attempts::show`], with a pause between each change and the next look.
    fn show_with(&mut self, case: &Case, patience: Duration) -> Option<Shown> {
        if !self.may_go_on() {
            return None;
        }
        let (execution, verdicts) = self.run(case, patience)?;
        let verdict =
            verdicts.into_iter().find(|verdict| verdict.fingerprint() == self.fingerprint)?;
        Some(Shown { execution, verdict })
    }

    fn run(&mut self, case: &Case, patience: Duration) -> Option<(Execution, Vec<Verdict>)> {
        self.left = self.left.saturating_sub(1);
        self.done += 1;
        let doing = format!("shrinking ({} steps)", case.steps.len());
        self.worker.shared.progress(self.worker.judge.plan, case.phase, &doing);
        self.worker.attempt_with(case, patience, self.times)
    }
}
