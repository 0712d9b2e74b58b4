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
    pub(crate) failure_file: Option<String>,
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
            return None;
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
        let execution = execution();
        let original_steps = execution.as_ref().map_or(0, |e| e.case.steps.len());
        let failing_step = verdict.step.unwrap_or_else(|| original_steps.saturating_sub(1));
        let fresh = Found {
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
            failure_file: None,
        };
        found.insert(fingerprint.clone(), fresh);
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
