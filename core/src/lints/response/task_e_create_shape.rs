//! `task_e_create_shape`.

use crate::lints::look::result_type;
use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, ResponseContext};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use crate::pointer::Members;
use crate::protocol::shapes;

lint! {
    /// A result of type `task` is malformed.
    ///
    /// Clients poll by its members, which stand in the result itself, not in a `task` object.
    TaskECreateShape(Response, Error) {}
    spec: "SEP-2663", fix: "Send taskId, status, createdAt, lastUpdatedAt and ttlMs beside `resultType`, and no requestState.", since: V2026_07_28
}

impl Lint for TaskECreateShape {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        let Some(result) = context.exchange.result().filter(|result| result_type(result) == "task")
        else {
            return;
        };
        let faults =
            shapes::check_named(context.revision, "CreatedTask", result).unwrap_or_default();
        if let Some(fault) = faults.into_iter().next() {
            problems.push(Problem::new(fault.rule(), format!("in the created task, {fault}")));
        } else if result.member("requestState").is_some() {
            problems
                .push(Problem::new("requestState", "a created task must not carry requestState"));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::protocol::Revision;
    use serde_json::Value;
    use serde_json::json;

    let call = |mut result: Value| {
        result["resultType"] = json!("task");
        Scene::at(Revision::V2026_07_28).call("tool", json!({}), result)
    };
    let time = "2026-07-28T10:00:00Z";
    let task = json!({"taskId": "1", "status": "working", "createdAt": time, "lastUpdatedAt": time, "ttlMs": null});
    let mut state = task.clone();
    state["requestState"] = json!("s");
    Examples::of(&ENTRY)
        .flags(
            "/taskId must be a string, not nothing",
            call(
                json!({"status": "working", "createdAt": time, "lastUpdatedAt": time, "ttlMs": 1}),
            ),
        )
        .flags("requestState", call(state))
        .passes(call(task))
}
