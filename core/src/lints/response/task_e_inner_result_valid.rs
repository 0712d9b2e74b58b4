//! `task_e_inner_result_valid`.

use crate::lints::look::show;
use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, ResponseContext};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use crate::pointer::Members;
use crate::protocol::shapes;

lint! {
    /// The result inside a completed task is no result of the request.
    ///
    /// Clients read it as they would have read the answer to the call.
    TaskEInnerResultValid(Response, Error) {}
    spec: "SEP-2663", fix: "Put the whole result of the call into `result`.", since: V2026_07_28
}

impl Lint for TaskEInnerResultValid {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        let task = context.exchange.result().filter(|_| context.exchange.method == "tasks/get");
        let Some(result) = task.and_then(|task| task.member("result")) else {
            return;
        };
        // Only tools are called as tasks by the tester. The type of the inner result may be left out.
        let faults = shapes::check_result(context.revision, "tools/call", result);
        if let Some(fault) = faults.into_iter().find(|fault| fault.pointer != "/resultType") {
            problems.push(
                Problem::new(fault.rule(), format!("in the result of the task, {fault}"))
                    .evidence(show(result)),
            );
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::exchange::Reply;
    use crate::protocol::Revision;
    use serde_json::json;

    let get = |result| {
        let task = json!({"status": "completed", "result": result});
        Scene::at(Revision::V2026_07_28).asked(
            "tasks/get",
            json!({"taskId": "1"}),
            Reply::Result(task),
        )
    };
    Examples::of(&ENTRY)
        .flags("/content must be an array", get(json!({"content": "x"})))
        .passes(get(json!({"content": []})))
}
