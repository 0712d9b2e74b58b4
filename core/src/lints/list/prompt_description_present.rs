//! `prompt_description_present`.

use super::item::{Faults, items};
use crate::catalog::ListKind;
use crate::lints::meta::lint;
use crate::lints::{Lint, ListContext, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use serde_json::Value;
#[cfg(test)]
use serde_json::json;

lint! {
    /// A prompt or one of its arguments has no description.
    ///
    /// People choose prompts from a menu and fill the arguments in by what they read there.
    PromptDescriptionPresent(List, Disabled) {}
    spec: "server/prompts#prompt", fix: "Describe the prompt and each argument in a sentence."
}

impl Lint for PromptDescriptionPresent {
    fn list(&self, context: &ListContext<'_>, problems: &mut Vec<Problem>) {
        let is_described = |value: &Value| {
            value
                .get("description")
                .and_then(Value::as_str)
                .is_some_and(|text| !text.trim().is_empty())
        };
        let mut faults = Faults::new(problems);
        for prompt in
            items(context.catalog, ListKind::Prompts).filter(|prompt| prompt.raw.is_object())
        {
            if !is_described(prompt.raw) {
                faults.add(prompt, "prompt", "it has no description");
            }
            let arguments = prompt.raw.get("arguments").and_then(Value::as_array);
            let silent = arguments
                .into_iter()
                .flatten()
                .filter(|argument| argument.is_object() && !is_described(argument));
            let names: Vec<&str> =
                silent.filter_map(|argument| argument.get("name")?.as_str()).collect();
            if !names.is_empty() {
                faults.add(prompt, "arguments", format!("no description of {}", names.join(", ")));
            }
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    let scene = |item: Value| Scene::new().item(ListKind::Prompts, item);
    Examples::of(&ENTRY)
        .flags("prompt \"p\": it has no description", scene(json!({"name": "p"})))
        .flags("prompt \"p\": no description of a", scene(json!({"name": "p", "description": "P.", "arguments": [{"name": "a"}]})))
        .passes(scene(json!({"name": "p", "description": "P.", "arguments": [{"name": "a", "description": "A."}]})))
}
