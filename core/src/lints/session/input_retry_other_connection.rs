//! `input_retry_other_connection`.

use crate::exchange::Reply;
use crate::lints::look::result_type;
use crate::lints::meta::lint;
use crate::lints::probes::{moved_probes, outcome};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{asking_server, error},
};
use crate::probe::Probe;

lint! {
    /// Answers are only taken on the connection on which they were asked for.
    ///
    /// A retry stands on its own: what the server needs comes back in `requestState`, and connections and processes come and go.
    InputRetryOtherConnection(Probe, Warning) {}
    spec: "basic/patterns/mrtr#basic-workflow", fix: "Put what the retry needs into `requestState`, or where every instance of the server finds it.", since: V2026_07_28
}

impl Lint for InputRetryOtherConnection {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        moved_probes(context)
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        for run in context.runs.iter().filter(|run| run.survived() == Some(true)) {
            let asked = run.exchange(0).and_then(|exchange| exchange.result());
            let asks = asked.is_some_and(|result| result_type(result) == "input_required");
            let refused = run.exchange(2).filter(|e| asks && matches!(e.reply, Reply::Error(_)));
            if let Some(exchange) = refused {
                problems.push(Problem::new(
                    "refused",
                    format!("{} got {}", run.probe.name, outcome(exchange)),
                ));
            }
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use serde_json::json;

    Examples::of(&ENTRY)
        .flags(
            "answers on another connection of tool got the error -32602",
            asking_server().answers(|_, params| match params.get("inputResponses") {
                Some(_) => error(-32602, "nothing was asked"),
                None => Reply::Result(json!({"resultType": "input_required"})),
            }),
        )
        .passes(asking_server().answers(|_, params| match params.get("inputResponses") {
            Some(_) => Reply::Result(json!({"resultType": "complete", "content": []})),
            None => Reply::Result(json!({"resultType": "input_required"})),
        }))
}
