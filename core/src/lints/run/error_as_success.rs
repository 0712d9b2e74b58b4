//! `error_as_success`.

use super::logs::shows_errors;
use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, RunContext};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use crate::record::{Sample, ToolRecord};
use crate::shrink::Traced;

lint! {
    /// The text says that the call failed, and `isError` does not.
    ///
    /// Clients decide by `isError` whether to retry, to warn the user or to go on. Error text in a success is taken for the result.
    ErrorAsSuccess(Run, Warning) {
        /// How many such answers to different arguments a tool must have given.
        min: usize = 2,
    }
    spec: "server/tools#error-handling", fix: "Set `isError: true` on the result whenever the text reports a failure."
}

impl Lint for ErrorAsSuccess {
    fn run(&self, context: &RunContext<'_>, problems: &mut Vec<Problem>) {
        for tool in &context.record.tools {
            // A tool that only ever answers in this way may have "Error: …" as its content.
            let answers_otherwise = tool.ok > 0 || tool.tool_errors > 0;
            if distinct(tool) >= self.min
                && answers_otherwise
                && !shows_errors(&tool.name)
                && let Some(sample) = tool.soft_samples.iter().min_by_key(|sample| needed(sample))
            {
                let text: String =
                    sample.execution.exchanges[sample.step].text().chars().take(160).collect();
                problems.push(
                    Problem::new("error text", format!("{} answers say that the call failed without `isError: true`, for example: {}", tool.soft_errors, text.trim()))
                        .tool(tool.name.clone())
                        .sample(sample.clone()),
                );
            }
        }
    }
}

/// How many calls it takes to show a sample.
fn needed(sample: &Sample) -> usize {
    Traced::new(&sample.execution).dependencies(sample.step, &[]).steps.len()
}

/// How many different arguments got error text.
fn distinct(tool: &ToolRecord) -> usize {
    let mut seen: Vec<String> = Vec::new();
    for sample in &tool.soft_samples {
        let arguments = sample.execution.case.steps[sample.step]
            .action
            .arguments()
            .map(ToString::to_string)
            .unwrap_or_default();
        if !seen.contains(&arguments) {
            seen.push(arguments);
        }
    }
    seen.len()
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::case::{Case, Label, Phase};
    use crate::exchange::Reply;
    use crate::lints::Execution;
    use crate::lints::scene::{call_step, exchange};
    use crate::outcome::Outcome;
    use crate::record::Record;
    use serde_json::json;
    use std::sync::Arc;
    let sample = |id: u32| {
        let arguments = json!({ "id": id });
        let exchange = exchange(
            "tools/call",
            json!({}),
            Reply::Result(json!({"content": [{"type": "text", "text": "Error: no such task"}]})),
        );
        let execution = Execution {
            case: Case {
                phase: Phase::Stateful,
                steps: vec![call_step("tool", arguments, Label::Valid)],
            },
            outcomes: vec![Outcome::of(&exchange)],
            exchanges: vec![exchange.into()],
            stray: Vec::new(),
            closing: None,
        };
        Sample { execution: Arc::new(execution), step: 0 }
    };
    let scene = |name: &str, ok: u64| {
        let tool = ToolRecord {
            name: name.to_owned(),
            calls: 2 + ok,
            ok,
            soft_errors: 2,
            soft_samples: vec![sample(1), sample(2)],
            ..ToolRecord::default()
        };
        Scene::new().record(Record { tools: vec![tool], ..Record::default() })
    };
    Examples::of(&ENTRY)
        .flags("Error: no such task", scene("get_task", 1))
        .passes(scene("get_task", 0))
        .passes(scene("show_logs", 1))
}
