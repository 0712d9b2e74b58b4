//! Rows: one run of a tester on one subject, judged against the catalogue.

use super::subject::{Subject, Variant};
use super::tester::{Report, Tested};
use serde::Serialize;

/// One run.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Row {
    /// The server.
    pub server: String,
    /// The bug, the decoy, or `clean` with how it was reached.
    pub id: String,
    /// `clean`, `decoy` or `mutant`.
    pub kind: Kind,
    /// The seed.
    pub seed: u64,
    /// The bug's depth.
    pub depth: Option<u32>,
    /// The lint that should report it.
    pub expected: Option<String>,
    /// Whether the faulty path ran.
    pub triggered: bool,
    /// Whether a report had a right lint and a right tool.
    pub detected: bool,
    /// The lint of the report that fits best.
    pub lint: Option<String>,
    /// Calls until it.
    pub calls_to_detection: Option<u64>,
    /// Seconds until it.
    pub seconds_to_detection: Option<f64>,
    /// Steps of its smallest case.
    pub steps: Option<usize>,
    /// Attempts on fresh sessions, and how many showed it again.
    pub reproduction: Option<(u32, u32)>,
    /// Other reports at level error: false ones, where there is no fault.
    pub other_errors: Vec<String>,
    /// Other reports at level warning.
    pub other_warnings: Vec<String>,
    /// Calls in all.
    pub calls: Option<u64>,
    /// Seconds in all.
    pub seconds: f64,
    /// Why there was no result.
    pub failure: Option<String>,
}

/// What a run looked at.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A server without a fault.
    #[default]
    Clean,
    /// A server with an oddity that is no fault.
    Decoy,
    /// A server with a fault.
    Mutant,
}

impl Row {
    /// A row that says only what was run.
    pub fn of(subject: &Subject, seed: u64) -> Self {
        Self {
            server: subject.server.as_str().to_owned(),
            id: subject.id(),
            kind: match subject.variant {
                Variant::Clean => Kind::Clean,
                Variant::Decoy(_) => Kind::Decoy,
                Variant::Mutant(_) => Kind::Mutant,
            },
            seed,
            depth: subject.bug().map(|bug| bug.depth),
            expected: subject.bug().map(|bug| bug.lint.clone()),
            ..Self::default()
        }
    }

    /// Takes in what the tester said.
    pub fn judge(&mut self, subject: &Subject, tested: &Tested) {
        self.calls = tested.calls;
        let right = |report: &&Report| subject.bug().is_some_and(|bug| is_right(report, bug));
        // The smallest case is the one that a reader would look at.
        let best =
            tested.reports.iter().filter(right).min_by_key(|r| r.steps.unwrap_or(usize::MAX));
        self.detected = best.is_some();
        if let Some(best) = best {
            self.lint.clone_from(&best.lint);
            self.steps = best.steps;
            self.reproduction = best.reproduction;
        }
        let first = tested.reports.iter().filter(right).min_by_key(|r| r.calls.unwrap_or(u64::MAX));
        self.calls_to_detection = first.and_then(|report| report.calls);
        self.seconds_to_detection = first.and_then(|report| report.seconds);
        for report in tested.reports.iter().filter(|report| !right(report)) {
            let lint = report.lint.as_deref().unwrap_or("?");
            let line = format!("{lint} [{}] {}", report.tools.join(", "), report.message);
            if report.error { &mut self.other_errors } else { &mut self.other_warnings }.push(line);
        }
    }

    /// Steps of the smallest case over the bug's depth.
    pub fn ratio(&self) -> Option<f64> {
        let depth = self.depth.filter(|depth| *depth > 0)?;
        // Step counts are far below 2^52.
        #[expect(clippy::cast_precision_loss)]
        self.steps.filter(|_| self.detected).map(|steps| steps as f64 / f64::from(depth))
    }
}

fn is_right(report: &Report, bug: &super::catalogue::Bug) -> bool {
    match &report.lint {
        Some(lint) => bug.fits_lint(lint) && bug.fits_tool(&report.tools),
        None => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::catalogue::{Bug, Era, ServerName, Transport};

    fn subject() -> Subject {
        let bug = Bug {
            id: "x".to_owned(),
            depth: 2,
            lint: "no_crash".to_owned(),
            also: vec!["no_hang".to_owned()],
            tool: vec!["get".to_owned()],
            concurrency: false,
            transport: Transport::Stdio,
            era: Era::Any,
            description: String::new(),
            env: std::collections::BTreeMap::new(),
        };
        Subject {
            server: ServerName::Crud,
            transport: bug.transport,
            era: bug.era,
            variant: Variant::Mutant(bug),
        }
    }

    fn report(lint: &str, tool: &str, steps: usize, calls: u64) -> Report {
        Report {
            lint: Some(lint.to_owned()),
            error: true,
            tools: vec![tool.to_owned()],
            steps: Some(steps),
            calls: Some(calls),
            ..Report::default()
        }
    }

    #[test]
    fn the_right_lint_at_the_right_tool_is_a_detection() {
        let mut row = Row::of(&subject(), 1);
        let reports = vec![
            report("no_crash", "put", 1, 5),
            report("no_hang", "get", 4, 9),
            report("no_crash", "get", 3, 30),
            report("soft_error", "get", 1, 2),
        ];
        row.judge(&subject(), &Tested { reports, ..Tested::default() });
        assert!(row.detected);
        assert_eq!((row.lint.as_deref(), row.steps), (Some("no_crash"), Some(3)));
        assert_eq!(row.calls_to_detection, Some(9));
        assert_eq!(row.ratio(), Some(1.5));
        assert_eq!(row.other_errors.len(), 2);
    }

    #[test]
    fn the_wrong_tool_is_none() {
        let mut row = Row::of(&subject(), 1);
        let reports = vec![report("no_crash", "put", 1, 5)];
        row.judge(&subject(), &Tested { reports, ..Tested::default() });
        assert!(!row.detected);
        assert_eq!(row.ratio(), None);
    }
}
