//! `task_e_notifications`.

use crate::lints::meta::lint;
use crate::lints::probes::{of_method, task_listen_probe};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{frame, task_server_e},
};
use crate::message::Frame;
use crate::probe::Probe;
use crate::protocol::{Revision, shapes};
use serde_json::Value;

lint! {
    /// A subscription to a task brings what it should not.
    ///
    /// It brings the whole task with each change of its status: nothing of other tasks, no progress and no log.
    TaskENotifications(Probe, Warning) {}
    spec: "SEP-2663", fix: "Send `notifications/tasks` with the whole task, only for the ids that were acknowledged.", since: V2026_07_28
}

impl Lint for TaskENotifications {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        task_listen_probe(context)
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        for run in context.runs {
            let Some(listened) = of_method(run, "subscriptions/listen").next() else { continue };
            let known = acknowledged(&listened.side);
            let fault = listened.side.iter().find_map(|frame| {
                let params = frame.value.as_ref()?.get("params")?;
                fault_of(context.list.revision, frame.method()?, params, &known)
            });
            problems.extend(fault);
        }
    }
}

/// What is wrong with a message on the stream of a subscription to tasks.
fn fault_of(revision: Revision, method: &str, params: &Value, known: &[&Value]) -> Option<Problem> {
    if matches!(method, "notifications/progress" | "notifications/message") {
        let message = format!("a subscription to a task delivered {method}");
        return Some(Problem::new(method.to_owned(), message));
    }
    if method != "notifications/tasks" {
        return None;
    }
    let id = params.get("taskId").unwrap_or(&Value::Null);
    if !known.is_empty() && !known.contains(&id) {
        let message = format!(
            "a subscription delivered the status of the task {id}, which it did not ask for"
        );
        return Some(Problem::new("another task", message));
    }
    let faults = shapes::check_named(revision, "DetailedTask", params).unwrap_or_default();
    let fault = faults.into_iter().find(|fault| fault.pointer != "/resultType")?;
    Some(Problem::new(fault.rule(), format!("in notifications/tasks, {fault}")))
}

/// The ids of the tasks that the subscription covers, as the server says.
fn acknowledged(frames: &[Frame]) -> Vec<&Value> {
    let values = frames.iter().filter_map(|frame| frame.value.as_ref());
    let lists = values.filter_map(|v| v.pointer("/params/notifications/taskIds")?.as_array());
    lists.flatten().collect()
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::probe::ProbeRun;
    use serde_json::json;

    fn brings(run: &mut ProbeRun, id: &str, status: &str) {
        let acknowledged = json!({"method": "notifications/subscriptions/acknowledged", "params": {"notifications": {"taskIds": ["1"]}}});
        let time = "2026-07-28T10:00:00Z";
        let task = json!({"taskId": id, "status": status, "createdAt": time, "lastUpdatedAt": time, "ttlMs": null});
        let told = json!({"method": "notifications/tasks", "params": task});
        run.steps[1].exchanges[0].side.extend([frame(&acknowledged), frame(&told)]);
    }
    Examples::of(&ENTRY)
        .flags(
            "the task \"2\", which it did not ask for",
            task_server_e().runs_changed(|run| brings(run, "2", "working")),
        )
        .flags("/status", task_server_e().runs_changed(|run| brings(run, "1", "done")))
        .flags(
            "delivered notifications/progress",
            task_server_e().runs_changed(|run| {
                let progress = frame(&json!({"method": "notifications/progress", "params": {}}));
                run.steps[1].exchanges[0].side.push(progress);
            }),
        )
        .passes(task_server_e().runs_changed(|run| brings(run, "1", "working")))
}
