//! Annotations for GitHub Actions: workflow commands, one a finding.

use super::{escape, text, words};
use crate::finding::Finding;
use crate::result::{Outcome, RunResult};
use std::fmt::Write as _;

/// GitHub shows at most ten annotations of a level and step; more would only hide the summary.
const SHOWN: usize = 10;

/// Renders the result as workflow commands, to be printed on standard output of a workflow step.
pub fn render(result: &RunResult) -> String {
    let mut out = String::new();
    annotate(&mut out, "error", &result.findings);
    annotate(&mut out, "warning", &result.warnings);
    if matches!(result.outcome, Outcome::Inconclusive | Outcome::Interrupted) {
        let why = result.reason.as_deref().unwrap_or_default();
        let message = escape::command_message(why);
        let _ =
            writeln!(out, "::error title=tooltest: {}::{message}", words::verdict(result.outcome));
    }
    out
}

fn annotate(out: &mut String, command: &str, findings: &[Finding]) {
    let shown = if findings.len() > SHOWN { SHOWN - 1 } else { findings.len() };
    for finding in &findings[..shown] {
        let title = escape::command_property(&text::title(finding));
        let mut message = format!("{}\n{}", finding.message, finding.fix);
        if let Some(replay) = &finding.replay {
            let _ = write!(message, "\n{replay}");
        }
        let _ = writeln!(out, "::{command} title={title}::{}", escape::command_message(&message));
    }
    if findings.len() > shown {
        let rest = words::count_len(findings.len() - shown, &format!("more {command}"));
        let _ = writeln!(out, "::{command} title=tooltest::{rest} in the report");
    }
}
