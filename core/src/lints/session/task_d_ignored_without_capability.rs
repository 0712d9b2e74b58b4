//! `task_d_ignored_without_capability`.

use crate::exchange::{Exchange, Reply};
use crate::lints::meta::lint;
use crate::lints::probes::{outcome, undeclared_task_probe};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, error},
};
use crate::probe::Probe;

lint! {
    /// A call made as a task is not served plainly by a server that offers no tasks.
    ///
    /// Such a server ignores the request for a task.
    TaskDIgnoredWithoutCapability(Probe, Error) {}
    spec: "basic/utilities/tasks#task-support-and-handling", fix: "Ignore the `task` parameter and answer with the result.", since: V2025_11_25, until: V2025_11_25
}

impl Lint for TaskDIgnoredWithoutCapability {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        undeclared_task_probe(context)
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        let Some(run) = context.runs.first() else {
            return;
        };
        let (Some(plain), Some(as_task)) = (run.exchange(0), run.exchange(1)) else {
            return;
        };
        let served = |exchange: &Exchange| {
            exchange.result().is_some_and(|result| result.get("content").is_some())
        };
        if !served(plain) || served(as_task) {
            return;
        }
        match &as_task.reply {
            Reply::Result(_) => problems.push(Problem::new(
                "task made",
                format!(
                    "a call made as a task got {}, though the server offers none",
                    outcome(as_task)
                ),
            )),
            Reply::Error(_) => problems.push(
                Problem::new(
                    "refused",
                    format!(
                        "a call made as a task got {}, though the plain one is served",
                        outcome(as_task)
                    ),
                )
                .warning(),
            ),
            _ => {}
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use serde_json::json;

    let server = || {
        Scene::new()
            .tool(json!({"name": "list_items", "inputSchema": {"type": "object"}}))
            .seen_call("list_items", json!({}))
    };
    Examples::of(&ENTRY)
        .flags(
            "though the server offers none",
            server().answers(|_, params| match params.get("task") {
                Some(_) => Reply::Result(json!({"task": {"taskId": "1"}})),
                None => Reply::Result(json!({"content": []})),
            }),
        )
        .flags(
            "though the plain one is served",
            server().answers(|_, params| match params.get("task") {
                Some(_) => error(-32602, "unknown member task"),
                None => Reply::Result(json!({"content": []})),
            }),
        )
        .passes(server().answers(|_, _| Reply::Result(json!({"content": []}))))
}
