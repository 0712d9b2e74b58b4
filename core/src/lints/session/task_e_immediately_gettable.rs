//! `task_e_immediately_gettable`.

use crate::exchange::Reply;
use crate::lints::meta::lint;
use crate::lints::probes::{of_method, outcome, task_e_probe};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{error, task_server_e},
};
use crate::probe::Probe;

lint! {
    /// A task cannot be got right after it was made.
    ///
    /// The client takes it for lost.
    TaskEImmediatelyGettable(Probe, Error) {}
    spec: "SEP-2663", fix: "Store the task before the result that names it is sent.", since: V2026_07_28
}

impl Lint for TaskEImmediatelyGettable {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        task_e_probe(context)
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        for run in context.runs {
            // Without a task nothing is asked for.
            let got = of_method(run, "tasks/get").next();
            if let Some(got) = got.filter(|got| matches!(got.reply, Reply::Error(_))) {
                problems.push(Problem::new(
                    "not there",
                    format!("tasks/get right after a task was made got {}", outcome(got)),
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
            "got the error -32602",
            task_server_e().answers(|method, _| match method {
                "tools/call" => Reply::Result(json!({"resultType": "task", "taskId": "1"})),
                _ => error(-32602, "no such task"),
            }),
        )
        .passes(task_server_e().answers(|method, _| match method {
            "tools/call" => Reply::Result(json!({"resultType": "task", "taskId": "1"})),
            _ => {
                Reply::Result(json!({"resultType": "complete", "taskId": "1", "status": "working"}))
            }
        }))
}
