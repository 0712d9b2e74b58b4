//! Words and numbers that all reports share.

use crate::case::Phase;
use crate::lints::Hook;
use crate::result::{NotMeasured, Outcome, ReplayStatus, RunResult, ToolCoverage};
use serde_json::Value;
use std::fmt::Write as _;

/// A number with thousands separated by commas.
pub(super) fn number(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A number with its noun, which takes an `s` but for one: `1 call`, `2,300 calls`.
pub(super) fn count(n: u64, noun: &str) -> String {
    let plural = if n == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", number(n))
}

/// As [`count`], for lengths.
pub(super) fn count_len(n: usize, noun: &str) -> String {
    count(n as u64, noun)
}

/// A duration in seconds, for people: `0.41 s`, `31.3 s`, `2 min 5 s`.
pub(super) fn seconds(s: f64) -> String {
    if !s.is_finite() || s < 0.0 {
        return "unknown".to_owned();
    }
    match s {
        s if s < 0.0995 => format!("{} ms", short(s * 1000.0)),
        s if s < 9.995 => format!("{s:.2} s"),
        s if s < 99.95 => format!("{s:.1} s"),
        s => {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "finite and not negative, checked above"
            )]
            let whole = s.round() as u64;
            format!("{} min {} s", whole / 60, whole % 60)
        }
    }
}

/// A duration in milliseconds, for people: `0.84 ms`, `12 ms`, `10 s`.
pub(super) fn millis(ms: f64) -> String {
    if ms >= 1000.0 { format!("{} s", short(ms / 1000.0)) } else { format!("{} ms", short(ms)) }
}

/// At least two significant digits, without trailing zeros after the point.
fn short(x: f64) -> String {
    let text = match x.abs() {
        a if a < 0.995 => format!("{x:.2}"),
        a if a < 9.95 => format!("{x:.1}"),
        _ => format!("{x:.0}"),
    };
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}

/// The verdict in one word.
pub(super) const fn verdict(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Passed => "passed",
        Outcome::Failed => "failed",
        Outcome::Inconclusive => "inconclusive",
        Outcome::Interrupted => "interrupted",
    }
}

/// A phase's name, as it stands in documents.
pub const fn phase(phase: Phase) -> &'static str {
    match phase {
        Phase::Replay => "replay",
        Phase::Lists => "lists",
        Phase::Examples => "examples",
        Phase::Boundary => "boundary",
        Phase::Stateful => "stateful",
        Phase::Negative => "negative",
        Phase::Protocol => "protocol",
        Phase::Parallel => "parallel",
    }
}

/// `5 errors, 3 warnings`; never empty.
pub(super) fn tally(result: &RunResult) -> String {
    let errors = count_len(result.findings.len(), "error");
    let warnings = count_len(result.warnings.len(), "warning");
    match (result.findings.is_empty(), result.warnings.is_empty()) {
        (true, true) => "no findings".to_owned(),
        (false, true) => errors,
        (true, false) => format!("no errors, {warnings}"),
        (false, false) => format!("{errors}, {warnings}"),
    }
}

/// How many tools succeeded: `7 of 9 tools succeeded, 1 never did, 1 was not called`.
pub(super) fn tools(result: &RunResult) -> String {
    let all = result.coverage.len();
    if all == 0 {
        return "no tools".to_owned();
    }
    let ok = result.coverage.iter().filter(|tool| tool.ok > 0).count();
    let uncalled = result.coverage.iter().filter(|tool| tool.calls == 0).count();
    let never = all - ok - uncalled;
    let mut text = format!("{ok} of {} succeeded", count_len(all, "tool"));
    if never > 0 {
        let _ = write!(text, ", {never} never did");
    }
    if uncalled > 0 {
        let verb = if uncalled == 1 { "was" } else { "were" };
        let _ = write!(text, ", {uncalled} {verb} not called");
    }
    text
}

/// What was not judged: the run's own list, and tools without a success that it does not name.
pub(super) fn unmeasured(result: &RunResult) -> Vec<NotMeasured> {
    let mut list = result.not_measured.clone();
    for tool in result.coverage.iter().filter(|tool| tool.ok == 0) {
        if list.iter().all(|entry| entry.subject != tool.tool) {
            let reason = tool.reason.clone().unwrap_or_else(|| lacking(tool));
            list.push(NotMeasured { subject: tool.tool.clone(), reason, hint: None });
        }
    }
    list
}

/// As [`unmeasured`], with the subjects of equal reasons and hints together.
pub(super) fn unmeasured_by_reason(result: &RunResult) -> Vec<(Vec<String>, NotMeasured)> {
    let mut groups: Vec<(Vec<String>, NotMeasured)> = Vec::new();
    for entry in unmeasured(result) {
        let same = |group: &&mut (Vec<String>, NotMeasured)| {
            group.1.reason == entry.reason && group.1.hint == entry.hint
        };
        match groups.iter_mut().find(same) {
            Some(group) => group.0.push(entry.subject),
            None => groups.push((vec![entry.subject.clone()], entry)),
        }
    }
    groups
}

fn lacking(tool: &ToolCoverage) -> String {
    match tool.calls {
        0 => "it was not called".to_owned(),
        calls => format!("none of {} succeeded", count(calls, "call")),
    }
}

/// What was spent of the budget: `812 of 1,000 calls, 31.3 s of 60 s`.
pub(super) fn spent(result: &RunResult) -> String {
    let of_calls = result.input.get("max_calls").and_then(Value::as_u64);
    let of_seconds = result.input.get("time_limit").and_then(Value::as_f64);
    let calls = match of_calls {
        Some(max) => format!("{} of {}", number(result.budget.calls), count(max, "call")),
        None => count(result.budget.calls, "call"),
    };
    match of_seconds {
        Some(max) => {
            format!("{calls}, {} of {}", seconds(result.timing.seconds), seconds_rounded(max))
        }
        None => format!("{calls}, {}", seconds(result.timing.seconds)),
    }
}

/// As [`seconds`], for limits that people set: `60 s`, `2.5 s`.
pub(super) fn seconds_rounded(s: f64) -> String {
    if s < 100.0 { format!("{} s", short(s)) } else { seconds(s) }
}

/// What ended the run, as a sentence's end: `ended: everything planned was done`.
pub(super) fn ended(by: &str) -> &str {
    match by {
        "complete" => "everything planned was done",
        "calls" => "the budget of calls was spent",
        "time" => "the time limit was reached",
        "fail_fast" => "stopped at the first finding",
        "interrupted" => "the user interrupted it",
        "lists" => "stopped before any call because the lists have errors",
        other => other,
    }
}

/// Whether a saved failure is still there, in a word or two.
pub(super) const fn replay_status(status: ReplayStatus) -> &'static str {
    match status {
        ReplayStatus::Failing => "still there",
        ReplayStatus::Flaky => "flaky",
        ReplayStatus::Fixed => "gone",
        ReplayStatus::Error => "not run",
    }
}

/// How many attempts showed a saved failure: `2 of 2`.
pub(super) fn rate(of: crate::finding::Reproduction) -> String {
    format!("{} of {}", of.reproduced, of.attempts)
}

/// That entries of a baseline are stale, and what to do.
pub(super) fn stale(count: usize) -> String {
    let what = match count {
        1 => "1 entry was not seen any more".to_owned(),
        n => format!("{n} entries were not seen any more"),
    };
    format!("{what}; --update-baseline removes what is gone")
}

/// How often a finding came up and came again: `14 times, again in 3 of 3 fresh sessions`.
pub(super) fn times_seen(finding: &crate::finding::Finding) -> String {
    let of_run = crate::lints::entry(&finding.lint).is_some_and(|lint| lint.meta.hook == Hook::Run);
    let seen = match finding.seen {
        // Such a finding is about many calls.
        0 | 1 if of_run => "over the whole run".to_owned(),
        0 | 1 => "once".to_owned(),
        n => format!("{} times", number(n)),
    };
    match finding.reproduction {
        Some(r) if r.attempts == 0 => seen,
        Some(r) if r.is_flaky() => format!(
            "{seen}; flaky: again in {} of {}",
            r.reproduced,
            count(r.attempts.into(), "fresh session")
        ),
        Some(r) => format!(
            "{seen}, again in {} of {}",
            r.reproduced,
            count(r.attempts.into(), "fresh session")
        ),
        None => seen,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        assert_eq!(
            [number(0), number(999), number(1000), number(1_234_567)],
            ["0", "999", "1,000", "1,234,567"]
        );
        assert_eq!([count(1, "call"), count(0, "call")], ["1 call", "0 calls"]);
    }

    #[test]
    fn durations_read_well() {
        let texts = [0.0, 0.0412, 0.412, 31.284, 60.0, 125.4].map(seconds);
        assert_eq!(texts, ["0 ms", "41 ms", "0.41 s", "31.3 s", "60.0 s", "2 min 5 s"]);
        assert_eq!(
            [0.84, 1.0, 2.2, 12.4, 10_000.0].map(millis),
            ["0.84 ms", "1 ms", "2.2 ms", "12 ms", "10 s"]
        );
        assert_eq!(seconds(f64::NAN), "unknown");
    }

    #[test]
    fn what_is_about_many_calls_was_not_seen_once() {
        let result: crate::result::RunResult =
            serde_json::from_str(include_str!("../../tests/fixtures/failed.json")).unwrap();
        let of = |lint: &str| {
            let lint = lint.to_owned();
            let first = result.findings[0].clone();
            times_seen(&crate::finding::Finding { lint, seen: 1, reproduction: None, ..first })
        };
        assert_eq!(of("error_as_success"), "over the whole run");
        assert_eq!(of("ping_answered"), "once");
    }
}
