//! `task_e_get_shape`.

use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, ResponseContext};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use crate::pointer::Members;
use crate::protocol::shapes;

lint! {
    /// The answer to `tasks/get` is malformed.
    ///
    /// A completed task carries its `result`, a failed one its `error`, one that waits its `inputRequests`.
    TaskEGetShape(Response, Error) {}
    spec: "SEP-2663", fix: "Send the task with `resultType: \"complete\"` and the member that goes with its status.", since: V2026_07_28
}

impl Lint for TaskEGetShape {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        let Some(result) =
            context.exchange.result().filter(|_| context.exchange.method == "tasks/get")
        else {
            return;
        };
        let faults =
            shapes::check_named(context.revision, "DetailedTask", result).unwrap_or_default();
        if let Some(fault) = faults.into_iter().next() {
            problems.push(Problem::new(fault.rule(), format!("in the task, {fault}")));
            return;
        }
        let needed = match result.member("status").and_then(|status| status.as_str()) {
            Some("completed") => "result",
            Some("failed") => "error",
            Some("input_required") => "inputRequests",
            _ => return,
        };
        if result.get(needed).is_none() {
            let status =
                result.member("status").and_then(|status| status.as_str()).unwrap_or_default();
            problems.push(Problem::new(
                format!("{status} without {needed}"),
                format!("a task with the status {status} has no {needed}"),
            ));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::exchange::Reply;
    use crate::protocol::Revision;
    use serde_json::json;

    let get = |status: &str, more: &str| {
        let time = "2026-07-28T10:00:00Z";
        let mut task = json!({"resultType": "complete", "taskId": "1", "status": status, "createdAt": time, "lastUpdatedAt": time, "ttlMs": null});
        task[more] = json!({});
        Scene::at(Revision::V2026_07_28).asked(
            "tasks/get",
            json!({"taskId": "1"}),
            Reply::Result(task),
        )
    };
    Examples::of(&ENTRY)
        .flags("/status", get("done", "x"))
        .flags("has no result", get("completed", "x"))
        .passes(get("completed", "result"))
        .passes(get("working", "x"))
}
