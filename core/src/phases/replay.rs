//! The replay phase: saved failures of this server, run again before anything else.

use crate::case::Phase;
use crate::execute::Judge;
use crate::failure::{FAILURE_VERSION, Failure, files};
use crate::finding::Reproduction;
use crate::findings::Found;
use crate::lints::Execution;
use crate::result::{ReplayReport, ReplayStatus};
use crate::run::RunOptions;
use crate::worker::Worker;
use std::path::{Path, PathBuf};

/// Attempts at each saved failure.
const ATTEMPTS: u32 = 2;

/// Runs the saved failures of the server under test.
pub(crate) fn run(worker: &mut Worker<'_>, options: &RunOptions) -> Vec<ReplayReport> {
    let asked = !options.replay.is_empty();
    let paths = if asked { options.replay.clone() } else { saved(worker, options) };
    let mut reports = Vec::new();
    for path in paths {
        if worker.shared.is_cancelled() || (!asked && !worker.may_go_on()) {
            break;
        }
        let name = path.strip_prefix(&options.working_dir).unwrap_or(&path).display().to_string();
        match Failure::read(&path) {
            Ok(failure) if asked || failure.server == worker.judge.server.name => {
                let reason = judged_over_runs(&failure)
                    .or_else(|| if asked { None } else { forbidden(worker, &failure) });
                reports.push(match reason {
                    None => replay(worker, &failure, &path, name),
                    Some(reason) => ReplayReport {
                        lint: failure.lint,
                        tool: failure.tool,
                        ..unusable(name, reason)
                    },
                });
            }
            Ok(_) => {}
            Err(error) => reports.push(unusable(name, error.to_string())),
        }
    }
    reports
}

fn saved(worker: &Worker<'_>, options: &RunOptions) -> Vec<PathBuf> {
    match worker.judge.plan.input.failure_dir.as_str() {
        "" => Vec::new(),
        folder => files(&options.path(folder)).unwrap_or_default(),
    }
}

/// Why no case can show a fault again: its lint judges the record of a whole run. Such a fault must not be called gone.
fn judged_over_runs(failure: &Failure) -> Option<String> {
    let entry = crate::lints::entry(&failure.lint)?;
    (entry.meta.hook == crate::lints::Hook::Run).then(|| {
        "the lint judges a whole run, so one case cannot show whether the fault is gone".to_owned()
    })
}

/// Why a saved failure is not run again where nobody asked for it by name: it calls a tool that this run may not call.
fn forbidden(worker: &Worker<'_>, failure: &Failure) -> Option<String> {
    let judge = worker.judge;
    let called = failure.case.steps.iter().filter_map(|step| step.action.tool());
    let known = called.filter_map(|name| judge.catalog.tools.iter().find(|tool| tool.name == name));
    known
        .filter_map(|tool| Some((tool, judge.plan.forbids(tool)?)))
        .map(|(tool, reason)| format!("calls `{}`, which is {reason}", tool.name))
        .next()
}

fn unusable(file: String, message: String) -> ReplayReport {
    let reproduction = Reproduction { attempts: 0, reproduced: 0 };
    ReplayReport {
        file,
        lint: String::new(),
        tool: None,
        status: ReplayStatus::Error,
        reproduction,
        message,
    }
}

fn replay(worker: &mut Worker<'_>, failure: &Failure, path: &Path, file: String) -> ReplayReport {
    let mut reproduction = Reproduction { attempts: 0, reproduced: 0 };
    for _ in 0..ATTEMPTS {
        let Some((execution, verdicts)) = worker.attempt(&failure.case) else {
            break;
        };
        reproduction.attempts += 1;
        worker.record.phases.entry(Phase::Replay).or_default().cases += 1;
        let Some(verdict) =
            verdicts.into_iter().find(|verdict| verdict.fingerprint() == failure.fingerprint)
        else {
            continue;
        };
        reproduction.reproduced += 1;
        if worker
            .shared
            .findings
            .note(verdict, Phase::Replay, || Some(std::sync::Arc::new(execution)))
            .is_some()
            && let Some(mut found) = worker.shared.findings.get(&failure.fingerprint)
        {
            found.minimal = true;
            worker.shared.findings.update(&failure.fingerprint, found);
        }
    }
    if let (Some(mut found), true) =
        (worker.shared.findings.get(&failure.fingerprint), reproduction.reproduced > 0)
    {
        found.reproduction = Some(reproduction);
        worker.shared.findings.update(&failure.fingerprint, found);
    }
    keep_or_retire(failure, path, reproduction);
    let status = status_of(reproduction);
    ReplayReport {
        file,
        lint: failure.lint.clone(),
        tool: failure.tool.clone(),
        status,
        reproduction,
        message: failure.message.clone(),
    }
}

fn status_of(reproduction: Reproduction) -> ReplayStatus {
    match (reproduction.attempts, reproduction.reproduced) {
        (0, _) => ReplayStatus::Error,
        (_, 0) => ReplayStatus::Fixed,
        (attempts, reproduced) if attempts == reproduced => ReplayStatus::Failing,
        _ => ReplayStatus::Flaky,
    }
}

/// A failure that did not show in three replays in a row is retired; its file goes.
fn keep_or_retire(failure: &Failure, path: &Path, reproduction: Reproduction) {
    if reproduction.attempts == 0 {
        return;
    }
    let mut failure = failure.clone();
    let fixed_runs = if reproduction.reproduced == 0 { failure.fixed_runs + 1 } else { 0 };
    if fixed_runs >= 3 {
        let _ = std::fs::remove_file(path);
    } else if fixed_runs != failure.fixed_runs {
        failure.fixed_runs = fixed_runs;
        if let Some(folder) = path
            .parent()
            .filter(|_| path.file_name().is_some_and(|name| *name == *failure.file_name()))
        {
            let _ = failure.write(folder);
        }
    }
}

/// The failure file of a finding.
pub(crate) fn failure(
    judge: Judge<'_>,
    fingerprint: &str,
    found: &Found,
    execution: &Execution,
) -> Failure {
    let redactor = crate::redact::Redactor::new(&judge.plan.input);
    let target = redactor.input(&judge.plan.input).get("target").cloned().unwrap_or_default();
    let mut failure = Failure {
        failure_version: FAILURE_VERSION,
        lint: found.verdict.lint.to_owned(),
        fingerprint: fingerprint.to_owned(),
        tool: found.verdict.problem.tool.clone(),
        message: redactor.text(&found.verdict.problem.message),
        server: judge.server.name.clone(),
        revision: judge.revision,
        seed: judge.plan.seed,
        target,
        case: execution.case.clone(),
        fixed_runs: 0,
    };
    for step in &mut failure.case.steps {
        if let Some(arguments) = step.action.arguments_mut() {
            redactor.value(arguments);
        }
    }
    failure
}
