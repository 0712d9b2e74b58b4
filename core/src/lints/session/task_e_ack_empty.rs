//! `task_e_ack_empty`.

use crate::exchange::Reply;
use crate::lints::meta::lint;
use crate::lints::probes::{of_method, outcome, task_e_probe};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::task_server_e};
use crate::probe::Probe;
use serde_json::Value;

lint! {
    /// Cancelling a task is not acknowledged as it should be.
    ///
    /// The answer is an empty complete result, for a task that is over, too; what became of the task is told by `tasks/get`.
    TaskEAckEmpty(Probe, Error) {}
    spec: "SEP-2663", fix: "Answer tasks/cancel with `{\"resultType\": \"complete\"}`.", since: V2026_07_28
}

impl Lint for TaskEAckEmpty {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        task_e_probe(context)
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        for run in context.runs {
            let gettable =
                of_method(run, "tasks/get").next().is_some_and(|got| got.result().is_some());
            let Some(cancel) = of_method(run, "tasks/cancel").next().filter(|_| gettable) else {
                continue;
            };
            let full = cancel.result().and_then(Value::as_object).is_some_and(|members| {
                members.keys().any(|name| !matches!(name.as_str(), "resultType" | "_meta"))
            });
            if matches!(cancel.reply, Reply::Error(_)) || full {
                problems.push(Problem::new(
                    "answer",
                    format!("tasks/cancel got {}, not an empty result", outcome(cancel)),
                ));
            }
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use serde_json::json;

    Examples::of(&ENTRY)
        .flags(
            "not an empty result",
            task_server_e().answers(|method, _| match method {
                "tools/call" => Reply::Result(json!({"resultType": "task", "taskId": "1"})),
                _ => Reply::Result(
                    json!({"resultType": "complete", "taskId": "1", "status": "working"}),
                ),
            }),
        )
        .passes(task_server_e().answers(|method, _| match method {
            "tools/call" => Reply::Result(json!({"resultType": "task", "taskId": "1"})),
            "tasks/cancel" => Reply::Result(json!({"resultType": "complete"})),
            _ => {
                Reply::Result(json!({"resultType": "complete", "taskId": "1", "status": "working"}))
            }
        }))
}
