//! Collecting findings: every distinct fault once, with the case that first showed it.

use crate::case::Phase;
use crate::execute::Verdict;
use crate::finding::Reproduction;
use crate::lints::{Execution, Level};
use indexmap::IndexMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Distinct faults kept of one lint at one tool; more are counted with the last.
const PER_LINT_AND_TOOL: usize = 4;
/// Distinct faults kept in all.
const IN_ALL: usize = 400;

/// A distinct fault.
#[derive(Debug, Clone)]
pub(crate) struct Found {
    pub(crate) verdict: Verdict,
    pub(crate) phase: Phase,
    /// The case that shows it: as found at first, then ever smaller.
    pub(crate) execution: Option<Arc<Execution>>,
    /// Index of the failing step in it.
    pub(crate) failing_step: usize,
    pub(crate) seen: u64,
    pub(crate) reproduction: Option<Reproduction>,
    pub(crate) minimal: bool,
    pub(crate) executions: u32,
    pub(crate) original_steps: usize,
    /// Set when a confirmation showed that the fault is none.
    pub(crate) withdrawn: bool,
    /// Whether that was so once, and this is another case that seems to show it.
    pub(crate) again: bool,
    pub(crate) failure_file: Option<String>,
}

impl Found {
    fn new(verdict: Verdict, phase: Phase, execution: Option<Arc<Execution>>) -> Self {
        let original_steps = execution.as_ref().map_or(0, |e| e.case.steps.len());
        let failing_step = verdict.step.unwrap_or_else(|| original_steps.saturating_sub(1));
        Self {
            verdict,
            phase,
            execution,
            failing_step,
            seen: 1,
            reproduction: None,
            minimal: false,
            executions: 0,
            original_steps,
            withdrawn: false,
            again: false,
            failure_file: None,
        }
    }
}

/// The findings of a run, shared by its workers.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    found: Mutex<IndexMap<String, Found>>,
}

impl Findings {
    /// Takes a verdict; returns its fingerprint if the fault is new and kept.
    pub(crate) fn note(
        &self,
        verdict: Verdict,
        phase: Phase,
        execution: impl FnOnce() -> Option<Arc<Execution>>,
    ) -> Option<String> {
        let fingerprint = verdict.fingerprint();
        let mut found = self.lock();
        if let Some(known) = found.get_mut(&fingerprint) {
            known.seen += 1;
            if !known.withdrawn || known.again {
                return None;
            }
            // The first case only seemed to show it; this one may.
            let seen = known.seen;
            *known = Found { seen, again: true, ..Found::new(verdict, phase, execution()) };
            return Some(fingerprint);
        }
        let same = |f: &&Found| {
            f.verdict.lint == verdict.lint && f.verdict.problem.tool == verdict.problem.tool
        };
        if found.len() >= IN_ALL || found.values().filter(same).count() >= PER_LINT_AND_TOOL {
            if let Some(last) = found.values_mut().rev().find(|f| f.verdict.lint == verdict.lint) {
                last.seen += 1;
            }
            return None;
        }
        found.insert(fingerprint.clone(), Found::new(verdict, phase, execution()));
        Some(fingerprint)
    }

    /// The fault with that fingerprint.
    pub(crate) fn get(&self, fingerprint: &str) -> Option<Found> {
        self.lock().get(fingerprint).cloned()
    }

    /// Replaces a fault by what became of it.
    pub(crate) fn update(&self, fingerprint: &str, found: Found) {
        self.lock().insert(fingerprint.to_owned(), found);
    }

    /// How many distinct faults stand so far.
    pub(crate) fn count(&self) -> usize {
        self.lock().values().filter(|found| !found.withdrawn).count()
    }

    /// Whether some fault at level error stands.
    pub(crate) fn has_error(&self) -> bool {
        self.lock().values().any(|found| !found.withdrawn && found.verdict.level == Level::Error)
    }

    /// All that stand, by fingerprint, in the order found.
    pub(crate) fn standing(&self) -> Vec<(String, Found)> {
        self.lock()
            .iter()
            .filter(|(_, found)| !found.withdrawn)
            .map(|(f, found)| (f.clone(), found.clone()))
            .collect()
    }

    fn lock(&self) -> MutexGuard<'_, IndexMap<String, Found>> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lints::Problem;

    #[test]
    fn what_was_withdrawn_gets_a_second_chance_and_no_third() {
        let findings = Findings::default();
        let note = || {
            let problem = Problem::new("what", "it differs".to_owned());
            let (lint, level) = ("failed_call_changed_state", Level::Error);
            let verdict = Verdict { lint, level, problem, step: None, whole_case: true };
            findings.note(verdict, Phase::Stateful, || None)
        };
        let withdraw = |fingerprint: &str| {
            let found = findings.get(fingerprint).expect("it was noted");
            findings.update(fingerprint, Found { withdrawn: true, ..found });
        };
        let fingerprint = note().expect("it is new");
        assert_eq!(note(), None, "it is known");
        withdraw(&fingerprint);
        assert_eq!(note().as_ref(), Some(&fingerprint));
        assert_eq!(findings.count(), 1);
        withdraw(&fingerprint);
        assert_eq!((note(), findings.count()), (None, 0));
    }
}
