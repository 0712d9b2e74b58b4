//! `task_d_create_shape`.

use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, ResponseContext};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use crate::pointer::Members;
use crate::protocol::shapes;

lint! {
    /// The answer to a call made as a task is no task.
    ///
    /// Clients poll by `taskId`; without a complete task object they cannot.
    TaskDCreateShape(Response, Error) {}
    spec: "basic/utilities/tasks#creating-tasks", fix: "Answer with `task`: taskId, status `working`, createdAt, lastUpdatedAt and ttl.", since: V2025_11_25, until: V2025_11_25
}

impl Lint for TaskDCreateShape {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        let result = context.exchange.result().filter(|_| context.exchange.method == "tools/call");
        let Some(result) = result
            .filter(|result| result.member("task").is_some() && result.member("content").is_none())
        else {
            return;
        };
        let faults =
            shapes::check_named(context.revision, "CreatedTask", result).unwrap_or_default();
        if let Some(fault) = faults.into_iter().next() {
            problems.push(Problem::new(fault.rule(), format!("in the created task, {fault}")));
        } else if result.pointer("/task/status").and_then(|status| status.as_str())
            != Some("working")
        {
            problems
                .push(Problem::new("status", "a created task must have the status \"working\""));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use serde_json::json;

    let call = |task| Scene::new().call("tool", json!({}), json!({"task": task}));
    let time = "2025-11-25T10:00:00Z";
    Examples::of(&ENTRY)
    .flags("/task/createdAt", call(json!({"taskId": "1", "status": "working", "lastUpdatedAt": time, "ttl": null})))
    .flags("status", call(json!({"taskId": "1", "status": "completed", "createdAt": time, "lastUpdatedAt": time, "ttl": 1})))
    .passes(call(json!({"taskId": "1", "status": "working", "createdAt": time, "lastUpdatedAt": time, "ttl": null})))
}
