//! `task_d_result`.

use crate::lints::look::show;
use crate::lints::meta::lint;
use crate::lints::probes::task_d_probe;
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::task_server};
use crate::probe::Probe;

lint! {
    /// `tasks/result` does not give what the call would have given.
    ///
    /// The result is that of the call, with the task named in `_meta`.
    TaskDResult(Probe, Error) {}
    spec: "basic/utilities/tasks#result-retrieval", fix: "Answer with the call's own result and `_meta[\"io.modelcontextprotocol/related-task\"]`.", since: V2025_11_25, until: V2025_11_25
}

impl Lint for TaskDResult {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        task_d_probe(context)
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        let Some(result) = context.runs.first().and_then(|run| run.exchange(3)?.result()) else {
            return;
        };
        if result.get("content").is_none() {
            problems.push(Problem::new(
                "no content",
                format!("tasks/result gave {}, which is no result of a call", show(result)),
            ));
        } else if result
            .get("_meta")
            .and_then(|meta| meta.get("io.modelcontextprotocol/related-task"))
            .is_none()
        {
            problems.push(Problem::new(
                "no related-task",
                "the result of tasks/result does not name its task in _meta",
            ));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::exchange::Reply;
    use serde_json::json;

    Examples::of(&ENTRY)
    .flags("which is no result of a call", task_server().answers(|method, _| match method {
        "tools/call" => Reply::Result(json!({"task": {"taskId": "1"}})),
        _ => Reply::Result(json!({"status": "completed"})),
    }))
    .flags("does not name its task", task_server().answers(|method, _| match method {
        "tools/call" => Reply::Result(json!({"task": {"taskId": "1"}})),
        _ => Reply::Result(json!({"content": []})),
    }))
    .passes(task_server().answers(|method, _| match method {
        "tools/call" => Reply::Result(json!({"task": {"taskId": "1"}})),
        _ => Reply::Result(json!({"content": [], "_meta": {"io.modelcontextprotocol/related-task": {"taskId": "1"}}})),
    }))
}
