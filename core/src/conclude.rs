//! The end of a run: its result, its verdict, and what could not be measured.

use crate::assemble;
use crate::case::Phase;
use crate::error::Error;
use crate::event::Event;
use crate::execute::Judge;
use crate::finding::Finding;
use crate::plan::Plan;
use crate::record::Record;
use crate::redact::Redactor;
use crate::result::{
    BudgetReport, CorpusReport, NotMeasured, Outcome, PhaseReport, RESULT_SCHEMA_VERSION,
    RunResult, ServerReport, Timing, ToolCoverage,
};
use crate::shared::Shared;
use std::time::Duration;

/// Puts the result together.
pub(crate) fn conclude(
    judge: Judge<'_>,
    shared: &Shared,
    record: &Record,
    corpus: CorpusReport,
    startup: Duration,
) -> RunResult {
    let plan = judge.plan;
    let redactor = Redactor::new(&plan.input);
    let findings = shared
        .findings
        .standing()
        .iter()
        .map(|(fingerprint, found)| assemble::finding(judge, fingerprint, found))
        .collect();
    let (mut errors, mut warnings) = assemble::split(findings);
    assemble::order(&mut errors);
    warnings = assemble::merge_warnings(warnings);
    let coverage = assemble::coverage(record, &plan.input);
    let (outcome, reason) = verdict(shared, &errors, &coverage, plan);
    let seconds = plan.elapsed().as_secs_f64();
    #[expect(clippy::cast_precision_loss, reason = "counts of calls")]
    let calls_per_second = if seconds > 0.0 { record.calls as f64 / seconds } else { 0.0 };
    RunResult {
        schema_version: RESULT_SCHEMA_VERSION,
        tooltest_version: env!("CARGO_PKG_VERSION").to_owned(),
        outcome,
        reason,
        server: server_report(judge, record, &redactor),
        findings: errors,
        warnings,
        not_measured: not_measured(judge, record, &coverage),
        coverage,
        phases: record
            .phases
            .iter()
            .map(|(phase, record)| PhaseReport {
                phase: *phase,
                cases: record.cases,
                calls: record.calls,
                skipped: record.skipped.clone(),
            })
            .collect(),
        corpus,
        timing: Timing {
            seconds,
            startup_seconds: startup.as_secs_f64(),
            calls_per_second,
            shrink_seconds: shared.shrink_seconds(),
        },
        seed: plan.seed,
        budget: BudgetReport {
            calls: record.calls,
            shrink_calls: record.shrink_calls,
            sessions: record.sessions,
            ended_by: shared.ended_by().to_owned(),
        },
        replayed: Vec::new(),
        baseline: None,
        offered: assemble::offered(judge.catalog),
        input: redactor.input(&plan.input),
        config_source: plan.config_source.clone(),
        trace: plan.input.trace_all.then(|| record.trace.clone()),
    }
}

fn server_report(judge: Judge<'_>, record: &Record, redactor: &Redactor) -> ServerReport {
    let stderr = record
        .closings
        .iter()
        .rev()
        .map(|closing| closing.exit.stderr.as_str())
        .find(|stderr| !stderr.is_empty())
        .unwrap_or_default();
    ServerReport {
        name: judge.server.name.clone(),
        version: judge.server.version.clone(),
        revision: Some(judge.revision),
        transport: assemble::transport_name(&judge.plan.input.target).to_owned(),
        target: redactor.text(&assemble::target_line(&judge.plan.input.target)),
        capabilities: judge.server.capabilities.clone(),
        stderr: stderr.to_owned(),
    }
}

/// The verdict, and why it is not `passed`.
fn verdict(
    shared: &Shared,
    errors: &[Finding],
    coverage: &[ToolCoverage],
    plan: &Plan,
) -> (Outcome, Option<String>) {
    if shared.is_cancelled() {
        return (Outcome::Interrupted, Some("the run was interrupted".to_owned()));
    }
    if !errors.is_empty() {
        return (
            Outcome::Failed,
            Some(format!(
                "{} finding{} at level error",
                errors.len(),
                if errors.len() == 1 { "" } else { "s" }
            )),
        );
    }
    let calls_wanted =
        [Phase::Examples, Phase::Boundary, Phase::Stateful, Phase::Negative, Phase::Parallel]
            .into_iter()
            .any(|phase| plan.has(phase));
    let any_success = coverage.iter().any(|tool| tool.ok > 0);
    if calls_wanted && !coverage.is_empty() && !any_success {
        let called = coverage.iter().any(|tool| tool.calls > 0);
        let why = if called {
            "no call was a real success, so nothing was judged"
        } else {
            "no tool could be called, so nothing was judged"
        };
        return (Outcome::Inconclusive, Some(why.to_owned()));
    }
    (Outcome::Passed, None)
}

fn not_measured(judge: Judge<'_>, record: &Record, coverage: &[ToolCoverage]) -> Vec<NotMeasured> {
    let mut list: Vec<NotMeasured> = Vec::new();
    for tool in coverage.iter().filter(|tool| tool.ok == 0) {
        let hint = if tool.calls > 0 {
            Some("--seed-values TOOL.PARAMETER=VALUE offers a value that works".to_owned())
        } else {
            None
        };
        list.push(NotMeasured {
            subject: tool.tool.clone(),
            reason: tool.reason.clone().unwrap_or_default(),
            hint,
        });
    }
    for (phase, record) in &record.phases {
        if let Some(reason) = &record.skipped {
            list.push(NotMeasured {
                subject: format!("phase {phase:?}").to_lowercase(),
                reason: reason.clone(),
                hint: None,
            });
        }
    }
    if judge.catalog.tools.is_empty() {
        list.push(NotMeasured {
            subject: "tools".to_owned(),
            reason: "the server lists none".to_owned(),
            hint: None,
        });
    }
    list
}

/// Redacts the result and tells that the run is over.
///
/// # Errors
/// [`Error::Bug`] where the result cannot be written as JSON.
pub(crate) fn finish(
    judge: Judge<'_>,
    shared: &Shared,
    result: &RunResult,
) -> Result<RunResult, Error> {
    let redactor = Redactor::new(&judge.plan.input);
    let mut document =
        serde_json::to_value(result).map_err(|error| Error::Bug(error.to_string()))?;
    redactor.value(&mut document);
    let result: RunResult =
        serde_json::from_value(document).map_err(|error| Error::Bug(error.to_string()))?;
    shared.emit(&Event::RunFinished {
        outcome: result.outcome,
        findings: result.findings.len(),
        warnings: result.warnings.len(),
        calls: result.budget.calls,
        seconds: result.timing.seconds,
    });
    Ok(result)
}
