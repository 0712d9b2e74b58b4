//! `task_e_input_keys_unique`.

use crate::lints::look::same;
use crate::lints::meta::lint;
use crate::lints::probes::{of_method, task_questions_probe};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::task_server_e};
use crate::probe::{Probe, ProbeRun};
use serde_json::Value;

lint! {
    /// A task asks another question under a key that it has used before.
    ///
    /// The client has answered that key, and may answer it again from memory.
    TaskEInputKeysUnique(Probe, Error) {}
    spec: "SEP-2663", fix: "Give every input request of a task a key of its own.", since: V2026_07_28
}

impl Lint for TaskEInputKeysUnique {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        task_questions_probe(context)
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        for run in context.runs {
            // The same question under its key is only not answered yet.
            let asked = questions(run);
            let again = asked.iter().enumerate().find_map(|(at, (key, question))| {
                let mut earlier = asked[..at].iter();
                earlier.any(|(k, q)| k == key && !same(q, question)).then_some(*key)
            });
            if let Some(key) = again {
                problems.push(Problem::new(
                    "used again",
                    format!("a task asked two different questions under the key {key:?}"),
                ));
            }
        }
    }
}

/// The keys and questions of a task, in the order in which they were seen.
fn questions(run: &ProbeRun) -> Vec<(&str, &Value)> {
    let gets = of_method(run, "tasks/get");
    let asked = gets.filter_map(|exchange| exchange.result()?.get("inputRequests")?.as_object());
    asked.flatten().map(|(key, question)| (key.as_str(), question)).collect()
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::exchange::Reply;
    use serde_json::json;

    fn asks(run: &mut ProbeRun, step: usize, key: &str, message: &str) {
        let question = json!({"method": "elicitation/create", "params": {"message": message}});
        let task = json!({"status": "input_required", "inputRequests": {key: question}});
        run.steps[step].exchanges[0].reply = Reply::Result(task);
    }
    Examples::of(&ENTRY)
        .flags(
            "under the key \"q\"",
            task_server_e().runs_changed(|run| {
                asks(run, 2, "q", "Which file?");
                asks(run, 5, "q", "Are you sure?");
            }),
        )
        .passes(task_server_e().runs_changed(|run| {
            asks(run, 2, "q", "Which file?");
            asks(run, 5, "q", "Which file?");
            asks(run, 8, "r", "Are you sure?");
        }))
}
