//! `task_d_id_entropy`.

use crate::lints::look::guessable;
use crate::lints::meta::lint;
use crate::lints::probes::{asked, three_tasks_probe};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{task_server, task_server_e},
};
use crate::probe::Probe;
use serde_json::Value;

lint! {
    /// Ids of tasks can be guessed.
    ///
    /// Without authorization the id is all that it takes to read or cancel somebody else's task.
    TaskDIdEntropy(Probe, Warning) {}
    spec: "basic/utilities/tasks#security-considerations", fix: "Draw the ids from a cryptographic source, 128 bits or more.", since: V2025_11_25
}

impl Lint for TaskDIdEntropy {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        three_tasks_probe(context)
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        let ids = asked(context).filter_map(|(_, exchange)| {
            let result = exchange.result()?;
            let id = result.pointer("/task/taskId").or_else(|| result.get("taskId"));
            id.and_then(Value::as_str)
        });
        let ids: Vec<&str> = ids.take(3).collect();
        let [a, b, c] = ids.as_slice() else {
            return;
        };
        if let Some(what) = guessable([a, b, c]) {
            problems.push(Problem::new(what, format!("of three tasks, {what}: {a}, {b}, {c}")));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::exchange::Reply;
    use crate::probe::ProbeRun;
    use serde_json::json;

    fn named(run: &mut ProbeRun, ids: [&str; 3]) {
        for (step, id) in run.steps.iter_mut().zip(ids) {
            let flat = json!({"resultType": "task", "taskId": id});
            let old = json!({"task": {"taskId": id}});
            let modern =
                run.probe.steps.iter().any(|step| format!("{step:?}").contains("extensions"));
            step.exchanges[0].reply = Reply::Result(if modern { flat } else { old });
        }
    }
    let counted = |run: &mut ProbeRun| {
        named(run, ["task-0009-of-session", "task-0010-of-session", "task-0011-of-session"])
    };
    let random = |run: &mut ProbeRun| {
        named(
            run,
            [
                "0b0f2a52-54ac-4d3f-9c43-0f3b47cf1c11",
                "a4d2b2fe-7a3b-4b43-8f5c-3fd9d5d5a001",
                "f3c8b1de-1b1f-4f0c-a8a9-6a6f4f7ad8f2",
            ],
        );
    };
    Examples::of(&ENTRY)
        .flags("counted up", task_server().runs_changed(counted))
        .flags("counted up", task_server_e().runs_changed(counted))
        .flags(
            "shorter than 16",
            task_server().runs_changed(|run| named(run, ["q8zk", "07fm", "mmw2"])),
        )
        .passes(task_server().runs_changed(random))
        .passes(task_server_e().runs_changed(random))
}
