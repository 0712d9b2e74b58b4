//! `task_e_unknown_id`.

use crate::exchange::Reply;
use crate::lints::meta::lint;
use crate::lints::probes::{asked, offers_tasks, outcome, shared, with_tasks};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{error, task_server_e},
};
use crate::probe::Probe;
use serde_json::json;

lint! {
    /// A request for a task that does not exist is not refused with -32602.
    ///
    /// A client that polls a lost task goes on for ever.
    TaskEUnknownId(Probe, Error) {}
    spec: "SEP-2663", fix: "Answer -32602 for unknown task ids.", since: V2026_07_28
}

impl Lint for TaskEUnknownId {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        if !offers_tasks(context) {
            return Vec::new();
        }
        let asks = ["tasks/get", "tasks/cancel"]
            .map(|method| with_tasks(context, method, json!({"taskId": "tooltest-no-such-task"})));
        vec![shared("an unknown task of the extension", asks.to_vec())]
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        for (_, exchange) in asked(context) {
            let refused = match &exchange.reply {
                Reply::Error(error) => error.code == Some(-32602),
                Reply::Result(_) => false,
                _ => true,
            };
            if !refused {
                let method = &exchange.method;
                let problem = Problem::new(
                    method.clone(),
                    format!("{method} of an unknown task got {}, not -32602", outcome(exchange)),
                );
                problems.push(if method == "tasks/get" { problem } else { problem.warning() });
            }
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    Examples::of(&ENTRY)
        .flags(
            "tasks/get of an unknown task got the result",
            task_server_e().answers(|method, _| match method {
                "tasks/get" => Reply::Result(json!({})),
                _ => error(-32602, "x"),
            }),
        )
        .passes(task_server_e().answers(|_, _| error(-32602, "x")))
}
