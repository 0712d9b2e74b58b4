//! `prompt_missing_required`.

use crate::exchange::Reply;
use crate::lints::meta::lint;
use crate::lints::probes::{ask, asked, outcome, shared};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, error},
};
use crate::probe::Probe;
use serde_json::{Value, json};

lint! {
    /// A prompt without a required argument is not refused with -32602.
    ///
    /// The client cannot tell its user what is missing.
    PromptMissingRequired(Probe, Warning) {
        /// How many prompts are tried at most.
        max: usize = 5,
    }
    spec: "server/prompts#error-handling", fix: "Check the arguments that are marked as required and answer -32602."
}

impl Lint for PromptMissingRequired {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        let requires = |prompt: &&crate::catalog::Prompt| {
            let arguments = prompt.raw.get("arguments").and_then(Value::as_array);
            arguments
                .into_iter()
                .flatten()
                .any(|argument| argument.get("required") == Some(&json!(true)))
        };
        let prompts = context.catalog.prompts.iter().filter(requires).take(self.max);
        let gets: Vec<_> = prompts
            .map(|prompt| ask("prompts/get", json!({"name": prompt.name, "arguments": {}})))
            .collect();
        if gets.is_empty() {
            Vec::new()
        } else {
            vec![shared("prompts without required arguments", gets)]
        }
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        for (_, exchange) in asked(context) {
            let fits = match &exchange.reply {
                Reply::Result(_) => false,
                Reply::Error(error) => error.code != Some(-32603),
                _ => true,
            };
            if !fits {
                let name = exchange.params.get("name").and_then(Value::as_str).unwrap_or_default();
                problems.push(Problem::new(
                    "not refused",
                    format!(
                        "the prompt {name:?} without its required arguments got {}",
                        outcome(exchange)
                    ),
                ));
                return;
            }
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::catalog::ListKind;

    let listed = || {
        Scene::new().item(
            ListKind::Prompts,
            json!({"name": "p", "arguments": [{"name": "a", "required": true}]}),
        )
    };
    Examples::of(&ENTRY)
        .flags(
            "without its required arguments got the result",
            listed().answers(|_, _| Reply::Result(json!({"messages": []}))),
        )
        .flags("the error -32603", listed().answers(|_, _| error(-32603, "x")))
        .passes(listed().answers(|_, _| error(-32602, "missing a")))
}
