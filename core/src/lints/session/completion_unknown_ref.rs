//! `completion_unknown_ref`.

use crate::exchange::Reply;
use crate::lints::look::declares;
use crate::lints::meta::lint;
use crate::lints::probes::{ask, first, outcome, shared};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, error},
};
use crate::probe::Probe;
use serde_json::{Value, json};

lint! {
    /// Values are offered for a prompt that does not exist, or asking ends in an internal error.
    ///
    /// A client that asks for the wrong thing is not told so.
    CompletionUnknownRef(Probe, Warning) {}
    spec: "server/utilities/completion#error-handling", fix: "Answer -32602, or with no values.", since: V2025_03_26
}

impl Lint for CompletionUnknownRef {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        if !declares(context.server, "completions") {
            return Vec::new();
        }
        let reference = json!({"type": "ref/prompt", "name": "tooltest_no_such_prompt"});
        let params = json!({"ref": reference, "argument": {"name": "a", "value": ""}});
        vec![shared("a completion for nothing", vec![ask("completion/complete", params)])]
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        let Some(exchange) = first(context) else {
            return;
        };
        let problem = |rule: &'static str| {
            Problem::new(rule, format!("completing an unknown prompt got {}", outcome(exchange)))
        };
        match &exchange.reply {
            Reply::Result(result) => {
                let values = result.pointer("/completion/values").and_then(Value::as_array);
                if values.is_some_and(|values| !values.is_empty()) {
                    problems.push(problem("values"));
                }
            }
            Reply::Error(error) if error.code == Some(-32603) => {
                problems.push(problem("internal error"));
            }
            _ => {}
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    let completes = || Scene::new().capabilities(json!({"completions": {}}));
    Examples::of(&ENTRY)
        .flags(
            "got the result",
            completes().answers(|_, _| Reply::Result(json!({"completion": {"values": ["x"]}}))),
        )
        .flags("the error -32603", completes().answers(|_, _| error(-32603, "x")))
        .passes(completes().answers(|_, _| Reply::Result(json!({"completion": {"values": []}}))))
        .passes(completes().answers(|_, _| error(-32602, "unknown prompt")))
}
