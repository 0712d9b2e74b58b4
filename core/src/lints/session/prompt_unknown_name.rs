//! `prompt_unknown_name`.

use crate::exchange::Reply;
use crate::lints::meta::lint;
use crate::lints::probes::{ask, first, outcome, shared};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, error},
};
use crate::probe::Probe;
use serde_json::json;

lint! {
    /// A prompt that does not exist is answered with messages, or with an internal error.
    ///
    /// The client shows its user something that was never asked for.
    PromptUnknownName(Probe, Error) {}
    spec: "server/prompts#error-handling", fix: "Answer -32602."
}

impl Lint for PromptUnknownName {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        if context.catalog.prompts.is_empty() {
            return Vec::new();
        }
        vec![shared(
            "a prompt that does not exist",
            vec![ask("prompts/get", json!({"name": "tooltest_no_such_prompt"}))],
        )]
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        let Some(exchange) = first(context) else {
            return;
        };
        let problem = |rule: &'static str| {
            Problem::new(rule, format!("an unknown prompt got {}", outcome(exchange)))
        };
        match &exchange.reply {
            Reply::Result(_) => problems.push(problem("success")),
            Reply::Error(error) if error.code == Some(-32603) => {
                problems.push(problem("internal error").warning());
            }
            _ => {}
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::catalog::ListKind;

    let listed = || Scene::new().item(ListKind::Prompts, json!({"name": "p"}));
    Examples::of(&ENTRY)
        .flags(
            "an unknown prompt got the result",
            listed().answers(|_, _| Reply::Result(json!({"messages": []}))),
        )
        .flags("the error -32603", listed().answers(|_, _| error(-32603, "x")))
        .passes(listed().answers(|_, _| error(0, "Unknown prompt")))
}
