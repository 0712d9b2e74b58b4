//! `task_d_lifecycle`.

use crate::lints::meta::lint;
use crate::lints::probes::task_d_probe;
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::task_server};
use crate::probe::Probe;

lint! {
    /// A task leaves a state that is final, or is not final when its result is there.
    ///
    /// Clients stop asking at `completed`, `failed` and `cancelled`.
    TaskDLifecycle(Probe, Error) {}
    spec: "basic/utilities/tasks#task-status-lifecycle", fix: "Never change a task that is completed, failed or cancelled, and give its result only then.", since: V2025_11_25, until: V2025_11_25
}

impl Lint for TaskDLifecycle {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        task_d_probe(context)
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        let Some(run) = context.runs.first() else {
            return;
        };
        let status = |step: usize| run.exchange(step)?.result()?.get("status")?.as_str();
        let is_final = |status: &str| matches!(status, "completed" | "failed" | "cancelled");
        let resulted = run.exchange(3).is_some_and(|exchange| exchange.result().is_some());
        let (before, after) = (status(1), status(4));
        match (before, after) {
            (Some(before), Some(after)) if is_final(before) && before != after => problems.push(
                Problem::new("final state left", format!("a task was {before} and later {after}")),
            ),
            (_, Some(after)) if resulted && !is_final(after) => problems.push(Problem::new(
                "result before the end",
                format!("a task whose result was given is {after}"),
            )),
            _ => {}
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::exchange::Reply;
    use serde_json::json;

    Examples::of(&ENTRY)
        .flags(
            "is working",
            task_server().answers(|method, _| match method {
                "tools/call" => Reply::Result(json!({"task": {"taskId": "1"}})),
                _ => Reply::Result(json!({"status": "working"})),
            }),
        )
        .passes(task_server().answers(|method, _| match method {
            "tools/call" => Reply::Result(json!({"task": {"taskId": "1"}})),
            _ => Reply::Result(json!({"status": "completed"})),
        }))
}
