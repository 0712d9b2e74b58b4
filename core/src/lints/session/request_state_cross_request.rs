//! `request_state_cross_request`.

use crate::lints::look::result_type;
use crate::lints::meta::lint;
use crate::lints::probes::{retried, swapped_state_probes};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{asking_server, error},
};
use crate::probe::Probe;

lint! {
    /// The state of one call is accepted for another.
    ///
    /// Who may do the one can then have what was granted there count for the other.
    RequestStateCrossRequest(Probe, Disabled) {}
    spec: "basic/patterns/mrtr#server-requirements-basic-workflow", fix: "Bind the state to method, name and arguments, and refuse it elsewhere.", since: V2026_07_28
}

impl Lint for RequestStateCrossRequest {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        swapped_state_probes(context)
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        for (run, exchange) in retried(context) {
            let complete =
                exchange.result().is_some_and(|result| result_type(result) == "complete");
            if complete && !exchange.is_tool_error() {
                problems.push(Problem::new(
                    "accepted",
                    format!("a retry with {} was completed", run.probe.name),
                ));
            }
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::exchange::Reply;
    use serde_json::json;

    let two = || {
        let round = json!({
            "resultType": "input_required", "requestState": "b3RoZXI",
            "inputRequests": {"a": {"method": "elicitation/create"}},
        });
        asking_server().seen_question("other", round)
    };
    Examples::of(&ENTRY)
        .flags(
            "the request state of another call in one of other was completed",
            two().answers(|_, params| match params.get("inputResponses") {
                Some(_) => Reply::Result(json!({"resultType": "complete", "content": []})),
                None => Reply::Result(json!({"resultType": "input_required"})),
            }),
        )
        .passes(two().answers(|_, params| match params.get("inputResponses") {
            Some(_) => error(-32602, "the state is another call's"),
            None => Reply::Result(json!({"resultType": "input_required"})),
        }))
        .passes(asking_server())
}
