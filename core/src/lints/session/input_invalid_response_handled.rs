//! `input_invalid_response_handled`.

use crate::exchange::Reply;
use crate::lints::look::result_type;
use crate::lints::meta::lint;
use crate::lints::probes::{answers, question_probes, retried};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{asking_server, error},
};
use crate::probe::Probe;
use serde_json::json;

lint! {
    /// Answers of the wrong form are taken as if they were right, or break the server.
    ///
    /// They come from outside and must be checked like any other input.
    InputInvalidResponseHandled(Probe, Warning) {}
    spec: "basic/patterns/mrtr#error-handling", fix: "Check the answers, and ask again or answer with an error.", since: V2026_07_28
}

impl Lint for InputInvalidResponseHandled {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        question_probes(
            context,
            "answers that are numbers",
            |requests| answers(requests, |_| json!(42)),
            true,
        )
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        for (run, exchange) in retried(context) {
            let taken = match &exchange.reply {
                Reply::Result(result) => {
                    result_type(result) == "complete" && !exchange.is_tool_error()
                }
                _ => false,
            };
            if taken || run.survived() == Some(false) {
                let what = if taken { "was completed" } else { "broke the server" };
                problems
                    .push(Problem::new(what, format!("a retry with {} {what}", run.probe.name)));
            }
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    Examples::of(&ENTRY)
        .flags(
            "was completed",
            asking_server().answers(|_, params| match params.get("inputResponses") {
                Some(_) => Reply::Result(json!({"resultType": "complete", "content": []})),
                None => Reply::Result(json!({"resultType": "input_required"})),
            }),
        )
        .passes(asking_server().answers(|_, params| match params.get("inputResponses") {
            Some(_) => error(-32602, "not an answer"),
            None => Reply::Result(json!({"resultType": "input_required"})),
        }))
}
