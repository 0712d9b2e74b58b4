//! Events as they happen, one JSON document a line.

use super::escape;
use crate::event::Event;
use crate::result::RunResult;

/// The line of an event, with its line end.
pub fn line(event: &Event) -> String {
    let text = serde_json::to_string(event).expect("events have only string keys");
    let mut line = escape::json(&text);
    line.push('\n');
    line
}

/// The events that a finished result can still tell of: its findings in their final form, and the end.
pub fn result(result: &RunResult) -> String {
    let findings = result.findings.iter().chain(&result.warnings);
    let mut out: String = findings
        .map(|finding| line(&Event::FindingShrunk { finding: Box::new(finding.clone()) }))
        .collect();
    out.push_str(&line(&Event::RunFinished {
        outcome: result.outcome,
        findings: result.findings.len(),
        warnings: result.warnings.len(),
        calls: result.budget.calls,
        seconds: result.timing.seconds,
    }));
    out
}
