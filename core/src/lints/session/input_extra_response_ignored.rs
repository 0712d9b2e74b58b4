//! `input_extra_response_ignored`.

use crate::exchange::Reply;
use crate::lints::meta::lint;
use crate::lints::probes::{declined, outcome, question_probes, retried};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{asking_server, error},
};
use crate::probe::Probe;
use serde_json::{Map, Value, json};

lint! {
    /// An answer that nobody asked for makes a retry fail.
    ///
    /// Servers ignore what they do not know; clients may send more than was asked.
    InputExtraResponseIgnored(Probe, Warning) {}
    spec: "basic/patterns/mrtr#error-handling", fix: "Ignore answers under keys that were not asked.", since: V2026_07_28
}

impl Lint for InputExtraResponseIgnored {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        let extra = |requests: &Map<String, Value>| {
            let mut responses = declined(requests);
            responses["tooltest-extra"] = json!({"action": "decline"});
            responses
        };
        let mut probes = question_probes(context, "declined questions", declined, true);
        probes.extend(question_probes(
            context,
            "declined questions and an extra answer",
            extra,
            true,
        ));
        probes
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        let retries: Vec<_> = retried(context).collect();
        // The same answers without the extra one went through.
        let (usual, extra) = retries.split_at(retries.len() / 2);
        for ((_, usual), (run, extra)) in usual.iter().zip(extra) {
            if !matches!(usual.reply, Reply::Error(_)) && matches!(extra.reply, Reply::Error(_)) {
                problems.push(Problem::new(
                    "error",
                    format!("{} got {}", run.probe.name, outcome(extra)),
                ));
            }
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    Examples::of(&ENTRY)
        .flags(
            "an extra answer of tool got the error",
            asking_server().answers(|_, params| {
                match params.pointer("/inputResponses/tooltest-extra") {
                    Some(_) => error(-32602, "unknown key"),
                    None => Reply::Result(json!({"resultType": "input_required"})),
                }
            }),
        )
        .passes(
            asking_server().answers(|_, _| Reply::Result(json!({"resultType": "input_required"}))),
        )
}
