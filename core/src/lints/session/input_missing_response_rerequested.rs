//! `input_missing_response_rerequested`.

use crate::exchange::Reply;
use crate::lints::meta::lint;
use crate::lints::probes::{outcome, question_probes, retried};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, error},
};
use crate::probe::Probe;
use serde_json::json;

lint! {
    /// A retry without the answers is met with an error.
    ///
    /// The server asks again for what is missing; the user may not have been at hand.
    InputMissingResponseRerequested(Probe, Warning) {}
    spec: "basic/patterns/mrtr#error-handling", fix: "Answer with a new `input_required` result that asks for what is missing.", since: V2026_07_28
}

impl Lint for InputMissingResponseRerequested {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        question_probes(context, "a retry without answers", |_| json!({}), true)
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        for (run, exchange) in retried(context) {
            if matches!(exchange.reply, Reply::Error(_)) {
                problems.push(
                    Problem::new(
                        "error",
                        format!("{} got {}, not a new question", run.probe.name, outcome(exchange)),
                    )
                    .warning(),
                );
            }
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::protocol::Revision;

    fn answers_retry(reply: fn() -> Reply) -> Scene {
        let asks = json!({"resultType": "input_required", "inputRequests": {"a": {"method": "elicitation/create"}}});
        let scene = Scene::at(Revision::V2026_07_28).seen_question("tool", asks);
        match reply() {
            Reply::Error(_) => scene.answers(|_, params| match params.get("inputResponses") {
                Some(_) => error(-32603, "missing a"),
                None => Reply::Result(json!({"resultType": "input_required"})),
            }),
            _ => scene.answers(|_, _| Reply::Result(json!({"resultType": "input_required"}))),
        }
    }
    Examples::of(&ENTRY)
        .flags("got the error -32603", answers_retry(|| error(-32603, "x")))
        .passes(answers_retry(|| Reply::Result(json!({}))))
}
