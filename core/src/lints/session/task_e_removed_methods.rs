//! `task_e_removed_methods`.

use crate::exchange::Reply;
use crate::lints::meta::lint;
use crate::lints::probes::{asked, offers_tasks, outcome, shared, with_tasks};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{error, task_server_e},
};
use crate::probe::Probe;
use serde_json::json;

lint! {
    /// A task method that the extension has dropped is still there.
    ///
    /// `tasks/result` and `tasks/list` belong to 2025-11-25.
    TaskERemovedMethods(Probe, Warning) {}
    spec: "SEP-2663", fix: "Answer -32601.", since: V2026_07_28
}

impl Lint for TaskERemovedMethods {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        if !offers_tasks(context) {
            return Vec::new();
        }
        let asks = vec![
            with_tasks(context, "tasks/result", json!({"taskId": "tooltest-no-such-task"})),
            with_tasks(context, "tasks/list", json!({})),
        ];
        vec![shared("task methods that were dropped", asks)]
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        for (_, exchange) in asked(context) {
            let gone = match &exchange.reply {
                Reply::Error(error) => error.code == Some(-32601),
                Reply::Result(_) => false,
                _ => true,
            };
            if !gone {
                let method = &exchange.method;
                problems.push(Problem::new(
                    method.clone(),
                    format!("{method}, which was dropped, got {}", outcome(exchange)),
                ));
            }
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    Examples::of(&ENTRY)
        .flags(
            "tasks/list, which was dropped",
            task_server_e().answers(|method, _| match method {
                "tasks/list" => Reply::Result(json!({"tasks": []})),
                _ => error(-32601, "x"),
            }),
        )
        .passes(task_server_e().answers(|_, _| error(-32601, "x")))
}
