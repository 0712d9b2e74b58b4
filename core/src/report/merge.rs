//! Several results of one server as one: the shards of a run, or repeated runs.

use crate::finding::Finding;
use crate::record::Histogram;
use crate::result::{
    CorpusReport, ErrorSample, Latency, NotMeasured, Outcome, PhaseReport, RunResult, ToolCoverage,
};
use std::collections::BTreeSet;
use std::time::Duration;

/// How many frequent errors of a tool are kept.
const ERRORS: usize = 5;

/// Why results cannot be joined.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MergeError {
    /// There are none.
    #[error("there is no result to report")]
    Nothing,
    /// They are of different servers.
    #[error("the results are of different servers: `{0}` and `{1}`")]
    Servers(String, String),
}

/// Joins results: each distinct finding once with its shortest case, counts added up, and what no run measured.
///
/// Seed, input and what the server offers are those of the first result.
pub fn merge(results: Vec<RunResult>) -> Result<RunResult, MergeError> {
    let mut results = results.into_iter();
    let mut whole = results.next().ok_or(MergeError::Nothing)?;
    for part in results {
        if part.server.name != whole.server.name {
            return Err(MergeError::Servers(whole.server.name, part.server.name));
        }
        join(&mut whole, part);
    }
    Ok(whole)
}

fn join(whole: &mut RunResult, part: RunResult) {
    findings(&mut whole.findings, part.findings);
    findings(&mut whole.warnings, part.warnings);
    for tool in part.coverage {
        match whole.coverage.iter_mut().find(|known| known.tool == tool.tool) {
            Some(known) => coverage(known, tool),
            None => whole.coverage.push(tool),
        }
    }
    for list in [&mut whole.findings, &mut whole.warnings] {
        list.retain(|finding| !is_refuted(finding, &whole.coverage));
    }
    not_measured(&mut whole.not_measured, part.not_measured, &whole.coverage);
    phases(&mut whole.phases, part.phases);
    corpus(&mut whole.corpus, part.corpus);
    whole.timing.seconds = whole.timing.seconds.max(part.timing.seconds);
    whole.timing.startup_seconds = whole.timing.startup_seconds.max(part.timing.startup_seconds);
    whole.timing.calls_per_second += part.timing.calls_per_second;
    whole.timing.shrink_seconds += part.timing.shrink_seconds;
    whole.budget.calls += part.budget.calls;
    whole.budget.shrink_calls += part.budget.shrink_calls;
    whole.budget.sessions += part.budget.sessions;
    if whole.budget.ended_by == "complete" {
        whole.budget.ended_by = part.budget.ended_by;
    }
    for replay in part.replayed {
        if whole.replayed.iter().all(|known| known.file != replay.file) {
            whole.replayed.push(replay);
        }
    }
    if let (Some(trace), Some(more)) = (&mut whole.trace, part.trace) {
        trace.extend(more);
    }
    if let (Some(baseline), Some(more)) = (&mut whole.baseline, part.baseline) {
        findings(&mut baseline.accepted, more.accepted);
        baseline.stale.retain(|entry| more.stale.contains(entry));
    }
    conclude(whole, part.outcome);
}

/// The verdict: interrupted beats all, then findings; one conclusive part makes the whole conclusive.
fn conclude(whole: &mut RunResult, other: Outcome) {
    let outcomes = [whole.outcome, other];
    whole.outcome = match () {
        () if outcomes.contains(&Outcome::Interrupted) => Outcome::Interrupted,
        () if !whole.findings.is_empty() => Outcome::Failed,
        () if whole.coverage.iter().any(|tool| tool.ok > 0)
            || outcomes.contains(&Outcome::Passed) =>
        {
            Outcome::Passed
        }
        () => Outcome::Inconclusive,
    };
    whole.reason = match whole.outcome {
        Outcome::Failed => {
            Some(super::words::count_len(whole.findings.len(), "finding") + " at level error")
        }
        Outcome::Passed => None,
        _ => whole.reason.take(),
    };
}

fn findings(whole: &mut Vec<Finding>, part: Vec<Finding>) {
    for finding in part {
        let Some(known) = whole.iter_mut().find(|known| known.fingerprint == finding.fingerprint)
        else {
            whole.push(finding);
            continue;
        };
        let seen = known.seen + finding.seen;
        let also: BTreeSet<String> = known.also.iter().chain(&finding.also).cloned().collect();
        let steps = |of: &Finding| of.case.as_ref().map_or(usize::MAX, |case| case.steps.len());
        if steps(&finding) < steps(known) {
            *known = finding;
        }
        known.seen = seen;
        known.also = also.into_iter().collect();
    }
}

/// Whether another part shows that a finding about all calls of a tool is wrong.
fn is_refuted(finding: &Finding, coverage: &[ToolCoverage]) -> bool {
    finding.lint == "tool_uncallable"
        && coverage.iter().any(|tool| Some(&tool.tool) == finding.tool.as_ref() && tool.ok > 0)
}

fn coverage(known: &mut ToolCoverage, more: ToolCoverage) {
    known.calls += more.calls;
    known.ok += more.ok;
    known.tool_errors += more.tool_errors;
    known.soft_errors += more.soft_errors;
    known.protocol_errors += more.protocol_errors;
    known.broken += more.broken;
    known.valid += more.valid;
    known.invalid += more.invalid;
    known.outcome_classes = known.outcome_classes.max(more.outcome_classes);
    known.latency = latency(&known.latency, &more.latency);
    known.reason = if known.ok > 0 { None } else { known.reason.take().or(more.reason) };
    errors(&mut known.errors, more.errors);
    if known.ok > 0 {
        known.errors.clear();
    }
}

fn errors(known: &mut Vec<ErrorSample>, more: Vec<ErrorSample>) {
    for sample in more {
        match known.iter_mut().find(|old| old.text == sample.text) {
            Some(old) => old.count += sample.count,
            None => known.push(sample),
        }
    }
    known.sort_by_key(|sample| std::cmp::Reverse(sample.count));
    known.truncate(ERRORS);
}

fn latency(a: &Latency, b: &Latency) -> Latency {
    let histogram_of = |latency: &Latency| Histogram {
        buckets: latency.histogram.clone(),
        max: Duration::try_from_secs_f64(latency.max / 1000.0).unwrap_or_default(),
    };
    let mut both = histogram_of(a);
    both.merge(&histogram_of(b));
    let quantile = |q: f64| both.quantile(q);
    Latency {
        p50: quantile(0.5),
        p95: quantile(0.95),
        p99: quantile(0.99),
        max: a.max.max(b.max),
        histogram: both.buckets.clone(),
    }
}

/// What was not measured by any part: a tool that succeeded somewhere was; anything else must be missing everywhere.
fn not_measured(whole: &mut Vec<NotMeasured>, part: Vec<NotMeasured>, coverage: &[ToolCoverage]) {
    let tool = |entry: &NotMeasured| coverage.iter().find(|tool| tool.tool == entry.subject);
    whole.retain(|entry| match tool(entry) {
        Some(tool) => tool.ok == 0,
        None => part.iter().any(|other| other.subject == entry.subject),
    });
    for entry in part {
        let known = whole.iter().any(|other| other.subject == entry.subject);
        if !known && tool(&entry).is_some_and(|tool| tool.ok == 0) {
            whole.push(entry);
        }
    }
}

fn phases(whole: &mut Vec<PhaseReport>, part: Vec<PhaseReport>) {
    for phase in part {
        match whole.iter_mut().find(|known| known.phase == phase.phase) {
            Some(known) => {
                known.cases += phase.cases;
                known.calls += phase.calls;
                known.skipped = known.skipped.take().and(phase.skipped);
            }
            None => whole.push(phase),
        }
    }
    whole.sort_by_key(|phase| phase.phase);
}

/// Adds what another part of a run learned.
pub(crate) fn corpus(whole: &mut CorpusReport, part: CorpusReport) {
    whole.values += part.values;
    for link in part.links {
        match whole.links.iter_mut().find(|known| known.from == link.from && known.to == link.to) {
            Some(known) => {
                known.uses += link.uses;
                known.ok += link.ok;
            }
            None => whole.links.push(link),
        }
    }
    whole.links.sort_by_key(|link| std::cmp::Reverse(link.ok));
    if let Some(more) = part.dump {
        let dump = whole.dump.get_or_insert_default();
        for (key, values) in more {
            let known = dump.entry(key).or_default();
            for value in values {
                if !known.contains(&value) {
                    known.push(value);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(name: &str) -> RunResult {
        let text = match name {
            "failed" => include_str!("../../tests/fixtures/failed.json"),
            _ => include_str!("../../tests/fixtures/inconclusive.json"),
        };
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn a_result_merged_with_itself_has_the_same_findings_and_twice_the_counts() {
        let one = sample("failed");
        let whole = merge(vec![one.clone(), one.clone()]).unwrap();
        assert_eq!(whole.findings.len(), one.findings.len());
        assert_eq!(whole.findings[0].seen, 2 * one.findings[0].seen);
        assert_eq!(whole.budget.calls, 2 * one.budget.calls);
        assert_eq!(whole.coverage[0].calls, 2 * one.coverage[0].calls);
        let sum = |latency: &Latency| latency.histogram.iter().sum::<u64>();
        assert_eq!(sum(&whole.coverage[0].latency), 2 * sum(&one.coverage[0].latency));
        assert_eq!(
            (whole.outcome, whole.not_measured.len()),
            (Outcome::Failed, one.not_measured.len())
        );
        assert_eq!(merge(vec![one.clone()]).unwrap(), one);
    }

    #[test]
    fn a_tool_that_one_part_measured_is_measured() {
        let one = sample("inconclusive");
        let mut two = one.clone();
        two.coverage[0].ok = 1;
        two.not_measured.remove(0);
        two.outcome = Outcome::Passed;
        let whole = merge(vec![one, two]).unwrap();
        let subjects: Vec<&str> =
            whole.not_measured.iter().map(|entry| entry.subject.as_str()).collect();
        assert_eq!((whole.outcome, subjects), (Outcome::Passed, vec!["get_alerts"]));
        assert_eq!((whole.coverage[0].reason.as_ref(), whole.coverage[0].errors.len()), (None, 0));
    }

    #[test]
    fn a_tool_that_another_part_called_with_success_is_not_uncallable() {
        let mut one = sample("failed");
        let of = |tool: &ToolCoverage, template: &Finding| Finding {
            lint: "tool_uncallable".to_owned(),
            tool: Some(tool.tool.clone()),
            fingerprint: tool.tool.clone(),
            ..template.clone()
        };
        let never = one.coverage.iter().find(|tool| tool.ok == 0).unwrap().clone();
        let other = one.coverage.iter().find(|tool| tool.ok > 0).unwrap().clone();
        one.warnings = vec![of(&never, &one.findings[0]), of(&other, &one.findings[0])];
        let whole = merge(vec![one.clone(), one]).unwrap();
        let left: Vec<&str> = whole.warnings.iter().map(|f| f.fingerprint.as_str()).collect();
        assert_eq!(left, [never.tool]);
    }

    #[test]
    fn the_shorter_case_wins() {
        let one = sample("failed");
        let mut two = one.clone();
        two.findings[0].case.as_mut().unwrap().steps.remove(1);
        let whole = merge(vec![one, two]).unwrap();
        assert_eq!(whole.findings[0].case.as_ref().unwrap().steps.len(), 2);
    }

    #[test]
    fn different_servers_are_not_mixed() {
        assert!(matches!(merge(vec![sample("failed"), sample("x")]), Err(MergeError::Servers(..))));
        assert_eq!(merge(Vec::new()), Err(MergeError::Nothing));
    }
}
