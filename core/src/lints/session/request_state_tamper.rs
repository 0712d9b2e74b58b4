//! `request_state_tamper`.

use crate::lints::look::result_type;
use crate::lints::meta::lint;
use crate::lints::probes::{declined, question_probes, retried};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{asking_server, error},
};
use crate::probe::{Probe, ProbeStep};
use serde_json::json;

lint! {
    /// A request state that was changed on its way is accepted.
    ///
    /// It passes through the client; where it decides what the server does, it must be signed.
    RequestStateTamper(Probe, Disabled) {}
    spec: "basic/patterns/mrtr#server-requirements-basic-workflow", fix: "Sign the state, and refuse it where the signature does not fit.", since: V2026_07_28
}

impl Lint for RequestStateTamper {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        let mut probes = question_probes(context, "a changed request state", declined, false);
        for (probe, call) in probes.iter_mut().zip(&context.seen.questions) {
            let state = call.rounds.first().and_then(|round| round.get("requestState")?.as_str());
            if let (Some(state), ProbeStep::Request(retry)) = (state, &mut probe.steps[1]) {
                retry.params["requestState"] = json!(changed(state));
            }
        }
        probes.retain(|probe| matches!(&probe.steps[1], ProbeStep::Request(retry) if retry.params.get("requestState").is_some()));
        probes
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        for (run, exchange) in retried(context) {
            if exchange.result().is_some_and(|result| result_type(result) == "complete")
                && !exchange.is_tool_error()
            {
                problems.push(Problem::new(
                    "accepted",
                    format!("a retry with {} was completed", run.probe.name),
                ));
            }
        }
    }
}

/// The state with another letter in its middle.
fn changed(state: &str) -> String {
    let middle = state.chars().count() / 2;
    let other = |c: char| if c == 'A' { 'B' } else { 'A' };
    state.chars().enumerate().map(|(at, c)| if at == middle { other(c) } else { c }).collect()
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::exchange::Reply;

    Examples::of(&ENTRY)
        .flags(
            "was completed",
            asking_server().answers(|_, params| match params.get("requestState") {
                Some(_) => Reply::Result(json!({"resultType": "complete", "content": []})),
                None => Reply::Result(json!({"resultType": "input_required"})),
            }),
        )
        .passes(asking_server().answers(|_, params| match params.get("requestState") {
            Some(_) => error(-32602, "bad state"),
            None => Reply::Result(json!({"resultType": "input_required"})),
        }))
}
