//! `prompt_non_string_argument`.

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
    /// A prompt argument that is no string ends in an internal error.
    ///
    /// Arguments of prompts are strings; anything else is refused cleanly.
    PromptNonStringArgument(Probe, Disabled) {}
    spec: "server/prompts#getting-a-prompt", fix: "Answer -32602."
}

impl Lint for PromptNonStringArgument {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        let mut prompts = context.catalog.prompts.iter();
        let named = prompts.find_map(|prompt| {
            Some((prompt, prompt.raw.get("arguments")?.get(0)?.get("name")?.as_str()?))
        });
        let Some((prompt, argument)) = named else {
            return Vec::new();
        };
        let params = json!({"name": prompt.name, "arguments": {argument: 42}});
        vec![shared("a prompt argument that is no string", vec![ask("prompts/get", params)])]
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        if let Some(exchange) = first(context)
            && matches!(&exchange.reply, Reply::Error(error) if error.code == Some(-32603))
        {
            problems.push(Problem::new(
                "internal error",
                format!("a number as prompt argument got {}", outcome(exchange)),
            ));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::catalog::ListKind;

    let listed =
        || Scene::new().item(ListKind::Prompts, json!({"name": "p", "arguments": [{"name": "a"}]}));
    Examples::of(&ENTRY)
        .flags(
            "the error -32603",
            listed().answers(|_, _| error(-32603, "x.strip is not a function")),
        )
        .passes(listed().answers(|_, _| error(-32602, "a must be a string")))
}
