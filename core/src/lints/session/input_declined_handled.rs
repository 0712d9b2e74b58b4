//! `input_declined_handled`.

use crate::exchange::Reply;
use crate::lints::meta::lint;
use crate::lints::probes::{answers, declined, outcome, question_probes, retried};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{asking_server, error},
};
use crate::probe::Probe;
use serde_json::{Map, Value, json};

lint! {
    /// A user who declines makes the call fail with a protocol error.
    ///
    /// To decline is an ordinary answer; the tool says what follows from it.
    InputDeclinedHandled(Probe, Warning) {}
    spec: "client/elicitation#response-actions", fix: "Answer with a result, with `isError: true` if need be.", since: V2026_07_28
}

impl Lint for InputDeclinedHandled {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        let mut probes = question_probes(context, "declined questions", declined, true);
        let cancelled =
            |requests: &Map<String, Value>| answers(requests, |_| json!({"action": "cancel"}));
        probes.extend(question_probes(context, "cancelled questions", cancelled, true));
        probes
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        let failed =
            retried(context).find(|(_, exchange)| matches!(exchange.reply, Reply::Error(_)));
        if let Some((run, exchange)) = failed {
            problems.push(Problem::new(
                "error",
                format!("a retry with {} got {}", run.probe.name, outcome(exchange)),
            ));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    Examples::of(&ENTRY)
        .flags(
            "declined questions of tool got the error",
            asking_server().answers(|_, params| match params.get("inputResponses") {
                Some(_) => error(-32603, "KeyError: content"),
                None => Reply::Result(json!({"resultType": "input_required"})),
            }),
        )
        .passes(asking_server().answers(|_, params| match params.get("inputResponses") {
            Some(_) => {
                Reply::Result(json!({"resultType": "complete", "isError": true, "content": []}))
            }
            None => Reply::Result(json!({"resultType": "input_required"})),
        }))
}
