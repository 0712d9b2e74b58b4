//! Problems: what a lint says, before the run adds level, case and times seen.

use super::Level;
use crate::record::Sample;
use std::borrow::Cow;

/// One thing that is wrong with a server, as a lint sees it.
#[derive(Debug, Clone)]
pub struct Problem {
    /// The broken rule in a form that is equal for equal faults: no ids, counts or times. Part of the fingerprint.
    pub rule: Cow<'static, str>,
    /// What is wrong, in a sentence, with the values at hand.
    pub message: String,
    /// The tool at fault; response lints leave it to the run, which knows the call.
    pub tool: Option<String>,
    /// What to do, where the lint knows better than its general advice.
    pub fix: Option<String>,
    /// The highest level that this problem may have, whatever the configuration says.
    pub at_most: Level,
    /// Index of the step at fault, for case lints.
    pub step: Option<usize>,
    /// Further steps that it takes to see the problem, for case lints.
    pub involved: Vec<usize>,
    /// A piece of evidence: raw bytes, a schema excerpt, a header.
    pub evidence: Option<String>,
    /// The call that shows it, for run lints.
    pub sample: Option<Sample>,
}

impl Problem {
    /// A problem with its rule key and message.
    pub fn new(rule: impl Into<Cow<'static, str>>, message: impl Into<String>) -> Self {
        Self {
            rule: rule.into(),
            message: message.into(),
            tool: None,
            fix: None,
            at_most: Level::Error,
            step: None,
            involved: Vec::new(),
            evidence: None,
            sample: None,
        }
    }

    /// Names the tool at fault.
    #[must_use]
    pub fn tool(mut self, tool: impl Into<String>) -> Self {
        self.tool = Some(tool.into());
        self
    }

    /// Says what to do in this very instance.
    #[must_use]
    pub fn fix(mut self, fix: impl Into<String>) -> Self {
        self.fix = Some(fix.into());
        self
    }

    /// Caps the level at warning: the rule is broken in a way that many servers share.
    #[must_use]
    pub fn warning(mut self) -> Self {
        self.at_most = Level::Warning;
        self
    }

    /// Names the step at fault.
    #[must_use]
    pub fn step(mut self, step: usize) -> Self {
        self.step = Some(step);
        self
    }

    /// Names further steps that it takes to see the problem.
    #[must_use]
    pub fn involving(mut self, steps: impl IntoIterator<Item = usize>) -> Self {
        self.involved.extend(steps);
        self
    }

    /// Adds a piece of evidence.
    #[must_use]
    pub fn evidence(mut self, evidence: impl Into<String>) -> Self {
        self.evidence = Some(evidence.into());
        self
    }

    /// Adds the call that shows the problem.
    #[must_use]
    pub fn sample(mut self, sample: Sample) -> Self {
        self.sample = Some(sample);
        self
    }
}
