//! `prompt_get_ok`.

use crate::catalog::Prompt;
use crate::exchange::{Exchange, Reply};
use crate::lints::meta::lint;
use crate::lints::probes::{ask, asked, outcome, shared};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, error},
};
use crate::probe::Probe;
use crate::sequence::feedback::is_missing;
use serde_json::{Value, json};

lint! {
    /// A listed prompt cannot be had.
    ///
    /// Clients show prompts as commands; one that fails without arguments, or with all of them given, is of no use.
    PromptGetOk(Probe, Error) {
        /// How many prompts are asked for at most.
        max: usize = 20,
    }
    spec: "server/prompts#getting-a-prompt", fix: "Answer with messages, whatever strings are given as arguments."
}

impl Lint for PromptGetOk {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        let gets: Vec<_> = context
            .catalog
            .prompts
            .iter()
            .take(self.max)
            .map(|prompt| {
                ask("prompts/get", json!({"name": prompt.name, "arguments": arguments(prompt)}))
            })
            .collect();
        if gets.is_empty() { Vec::new() } else { vec![shared("listed prompts", gets)] }
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        for (_, exchange) in
            asked(context).filter(|(_, exchange)| matches!(exchange.reply, Reply::Error(_)))
        {
            let name = exchange.params.get("name").and_then(Value::as_str).unwrap_or_default();
            let given = exchange
                .params
                .get("arguments")
                .and_then(Value::as_object)
                .is_some_and(|a| !a.is_empty());
            // An argument may name a thing that must be there, and none is called so.
            if given && says_missing(exchange) {
                continue;
            }
            let problem = Problem::new(
                format!("prompt {name}"),
                format!("the prompt {name:?} with all its arguments got {}", outcome(exchange)),
            );
            // Arguments may have rules that the list does not tell.
            problems.push(if given { problem.warning() } else { problem });
        }
    }
}

/// Whether a refusal says that what an argument names is not there.
fn says_missing(exchange: &Exchange) -> bool {
    let Reply::Error(error) = &exchange.reply else {
        return false;
    };
    let text = error.message.to_lowercase();
    let sent = exchange.params.get("arguments").map(crate::mask::values).unwrap_or_default();
    sent.iter().any(|value| is_missing(Some(value), &text))
}

/// A string for every argument.
fn arguments(prompt: &Prompt) -> Value {
    let listed = prompt.raw.get("arguments").and_then(Value::as_array);
    let names = listed.into_iter().flatten().filter_map(|argument| argument.get("name")?.as_str());
    Value::Object(names.map(|name| (name.to_owned(), json!("1"))).collect())
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::catalog::ListKind;

    let listed = |arguments| {
        Scene::new().item(ListKind::Prompts, json!({"name": "p", "arguments": arguments}))
    };
    Examples::of(&ENTRY)
        .flags("the prompt \"p\"", listed(json!([])).answers(|_, _| error(-32603, "x")))
        .flags(
            "the prompt \"p\"",
            listed(json!([{"name": "a"}])).answers(|_, _| error(-32602, "x")),
        )
        .passes(listed(json!([{"name": "a"}])).answers(|_, params| {
            match params["arguments"]["a"].as_str() {
                Some(_) => Reply::Result(json!({"messages": []})),
                None => error(-32602, "missing"),
            }
        }))
}
