//! `task_d_errors`.

use crate::exchange::Reply;
use crate::lints::look::declares;
use crate::lints::meta::lint;
use crate::lints::probes::{ask, asked, outcome, shared};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, error},
};
use crate::probe::Probe;
use serde_json::json;

lint! {
    /// A request for a task that does not exist is not refused with -32602.
    ///
    /// A client that polls a lost task goes on for ever.
    TaskDErrors(Probe, Error) {}
    spec: "basic/utilities/tasks#protocol-errors", fix: "Answer -32602 for unknown task ids.", since: V2025_11_25, until: V2025_11_25
}

impl Lint for TaskDErrors {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        if !declares(context.server, "tasks") {
            return Vec::new();
        }
        let id = json!({"taskId": "tooltest-no-such-task"});
        let mut asks = vec![ask("tasks/get", id.clone()), ask("tasks/result", id.clone())];
        if declares(context.server, "tasks/cancel") {
            asks.push(ask("tasks/cancel", id));
        }
        vec![shared("a task that does not exist", asks)]
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        for (_, exchange) in asked(context) {
            let problem = || {
                let method = &exchange.method;
                Problem::new(
                    method.clone(),
                    format!("{method} of an unknown task got {}", outcome(exchange)),
                )
            };
            match &exchange.reply {
                Reply::Result(_) => problems.push(problem()),
                Reply::Error(error) if error.code != Some(-32602) => {
                    problems.push(problem().warning());
                }
                _ => {}
            }
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    let tasks = || Scene::new().capabilities(json!({"tasks": {}}));
    Examples::of(&ENTRY)
        .flags(
            "tasks/get of an unknown task got the result",
            tasks().answers(|method, _| match method {
                "tasks/get" => Reply::Result(json!({})),
                _ => error(-32602, "x"),
            }),
        )
        .passes(tasks().answers(|_, _| error(-32602, "x")))
        .passes(Scene::new().answers(|_, _| Reply::Result(json!({}))))
}
