//! tooltest as a tester, run in this process.

use super::endpoint::Endpoint;
use super::subject::Subject;
use super::tester::{Budget, Report, Tested, Tester};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use tooltest_core::event::{Event, Observer};
use tooltest_core::finding::Finding;
use tooltest_core::input::{HttpTarget, StdioTarget, Target};
use tooltest_core::lints::Level;
use tooltest_core::{RunOptions, TooltestInput, run_blocking};

/// tooltest with its built-in configuration.
#[derive(Debug, Clone, Copy, Default)]
pub struct Tooltest {
    /// Whether results hold every call.
    pub trace: bool,
}

/// Calls and seconds until each finding came up, by fingerprint.
type FoundAt = Arc<Mutex<BTreeMap<String, (u64, f64)>>>;

impl Tester for Tooltest {
    fn name(&self) -> String {
        "tooltest".to_owned()
    }

    fn test(
        &self,
        subject: &Subject,
        endpoint: &Endpoint,
        budget: Budget,
    ) -> Result<Tested, String> {
        let found_at = FoundAt::default();
        let options =
            RunOptions { observer: Some(observer(Arc::clone(&found_at))), ..RunOptions::default() };
        let result = run_blocking(self.input(subject, endpoint, budget), &options)
            .map_err(|error| error.to_string())?;
        let found_at = found_at.lock().unwrap_or_else(PoisonError::into_inner);
        let findings = result.findings.iter().chain(&result.warnings);
        Ok(Tested {
            reports: findings.map(|finding| report(finding, &found_at)).collect(),
            calls: Some(result.budget.calls),
            document: serde_json::to_value(&result).unwrap_or_default(),
        })
    }
}

fn observer(found_at: FoundAt) -> Observer {
    Arc::new(move |event| {
        if let Event::FindingFound { finding, calls, seconds } = event {
            let mut found_at = found_at.lock().unwrap_or_else(PoisonError::into_inner);
            found_at.entry(finding.fingerprint.clone()).or_insert((*calls, *seconds));
        }
    })
}

impl Tooltest {
    fn input(self, subject: &Subject, endpoint: &Endpoint, budget: Budget) -> TooltestInput {
        let target = match endpoint {
            Endpoint::Command { argv, env } => Target::Stdio(StdioTarget {
                command: argv[0].clone(),
                args: argv[1..].to_vec(),
                env: env.clone(),
                ..StdioTarget::default()
            }),
            Endpoint::Url { url, .. } => {
                Target::Http(HttpTarget { url: url.clone(), ..HttpTarget::default() })
            }
        };
        let mut input = TooltestInput::new(target);
        subject.era.protocol_version().clone_into(&mut input.protocol_version);
        input.seed = Some(budget.seed);
        input.max_calls = budget.calls;
        input.time_limit = budget.seconds;
        input.failure_dir = String::new();
        input.keep_going = true;
        input.trace_all = self.trace;
        // The servers keep everything in memory, and wsh's shell can do nothing.
        input.allow_destructive = true;
        input
    }
}

fn report(finding: &Finding, found_at: &BTreeMap<String, (u64, f64)>) -> Report {
    let at = found_at.get(&finding.fingerprint);
    let mut tools: Vec<String> = finding.tool.iter().chain(&finding.also).cloned().collect();
    if let (true, Some(case)) = (tools.is_empty(), &finding.case) {
        // A finding below the tools shows the call that brought it out.
        let step = case.steps.get(case.failing_step).filter(|step| step.method == "tools/call");
        tools.extend(step.map(|step| step.name.clone()));
    }
    Report {
        lint: Some(finding.lint.clone()),
        error: finding.level == Level::Error,
        tools,
        message: finding.message.clone(),
        steps: finding.case.as_ref().map(|case| {
            // A bug's depth counts calls; looks at the list of tools are none.
            case.steps.iter().filter(|step| step.method != "tools/list").count()
        }),
        reproduction: finding.reproduction.map(|r| (r.attempts, r.reproduced)),
        calls: at.map(|(calls, _)| *calls),
        seconds: at.map(|(_, seconds)| *seconds),
    }
}
