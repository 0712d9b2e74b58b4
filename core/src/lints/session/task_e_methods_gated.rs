//! `task_e_methods_gated`.

use crate::exchange::Reply;
use crate::lints::meta::lint;
use crate::lints::probes::{ask, first, offers_tasks, outcome, shared};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, error, task_server_e},
};
use crate::probe::Probe;
use serde_json::json;

lint! {
    /// Task methods are open to clients that did not offer tasks.
    ///
    /// They are refused with -32021, which names the extension that is missing.
    TaskEMethodsGated(Probe, Error) {}
    spec: "SEP-2663", fix: "Answer -32021 with `data.requiredCapabilities.extensions` unless the request declares the extension.", since: V2026_07_28
}

impl Lint for TaskEMethodsGated {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        if !offers_tasks(context) {
            return Vec::new();
        }
        let params = json!({"taskId": "tooltest-no-such-task"});
        vec![shared("a task method without the extension", vec![ask("tasks/get", params)])]
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        let Some(exchange) = first(context) else {
            return;
        };
        let problem = |rule: &'static str| {
            Problem::new(
                rule,
                format!("tasks/get without the extension got {}, not -32021", outcome(exchange)),
            )
        };
        match &exchange.reply {
            Reply::Error(error) if error.code == Some(-32021) => {}
            Reply::Error(error) if error.code == Some(-32003) => {
                problems.push(problem("old code").warning());
            }
            Reply::Error(_) | Reply::Result(_) => problems.push(problem("not -32021")),
            _ => {}
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::protocol::Revision;

    Examples::of(&ENTRY)
        .flags("the error -32602", task_server_e().answers(|_, _| error(-32602, "x")))
        .passes(task_server_e().answers(|_, _| error(-32021, "x")))
        .passes(Scene::at(Revision::V2026_07_28).answers(|_, _| error(-32601, "x")))
}
