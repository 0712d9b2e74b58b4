//! `task_d_list_complete`.

use crate::exchange::Exchange;
use crate::lints::look::declares;
use crate::lints::meta::lint;
use crate::lints::probes::task_d_probe;
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::task_server};
use crate::probe::Probe;
use serde_json::Value;

lint! {
    /// A task that can be got is not in the list of tasks.
    ///
    /// Clients that lost its id cannot find it again.
    TaskDListComplete(Probe, Warning) {}
    spec: "basic/utilities/tasks#task-listing", fix: "List every task that `tasks/get` knows.", since: V2025_11_25, until: V2025_11_25
}

impl Lint for TaskDListComplete {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        if declares(context.server, "tasks/list") { task_d_probe(context) } else { Vec::new() }
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        let Some(run) = context.runs.first() else {
            return;
        };
        let result = |step: usize| run.exchange(step).and_then(Exchange::result);
        let id = result(0).and_then(|created| created.pointer("/task/taskId"));
        let gettable = result(1).is_some();
        let Some(page) = result(2).filter(|page| page.get("nextCursor").is_none()) else {
            return;
        };
        let tasks = page.get("tasks").and_then(Value::as_array);
        let listed = tasks.is_some_and(|tasks| tasks.iter().any(|task| task.get("taskId") == id));
        if let Some(id) = id.filter(|_| gettable && !listed) {
            problems.push(Problem::new(
                "not listed",
                format!("the task {id} can be got, but tasks/list does not have it"),
            ));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::exchange::Reply;
    use serde_json::json;

    let server = || {
        task_server()
            .capabilities(json!({"tasks": {"list": {}, "requests": {"tools": {"call": {}}}}}))
    };
    Examples::of(&ENTRY)
        .flags(
            "does not have it",
            server().answers(|method, _| match method {
                "tools/call" => Reply::Result(json!({"task": {"taskId": "1"}})),
                "tasks/list" => Reply::Result(json!({"tasks": []})),
                _ => Reply::Result(json!({"status": "completed"})),
            }),
        )
        .passes(server().answers(|method, _| match method {
            "tools/call" => Reply::Result(json!({"task": {"taskId": "1"}})),
            "tasks/list" => Reply::Result(json!({"tasks": [{"taskId": "1"}]})),
            _ => Reply::Result(json!({"status": "completed"})),
        }))
}
