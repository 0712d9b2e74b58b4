//! `prompt_name_unique`.

use super::item::{Faults, Item, items};
use crate::catalog::ListKind;
use crate::lints::meta::lint;
use crate::lints::{Lint, ListContext, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use serde_json::Value;
#[cfg(test)]
use serde_json::json;
use std::collections::{HashMap, HashSet};

lint! {
    /// Two prompts have the same name, or two arguments of a prompt.
    ///
    /// Prompts are fetched and arguments are filled in by name, so one of the two cannot be reached.
    PromptNameUnique(List, Warning) {}
    spec: "server/prompts#prompt", fix: "Rename one of the two."
}

impl Lint for PromptNameUnique {
    fn list(&self, context: &ListContext<'_>, problems: &mut Vec<Problem>) {
        let mut seen: HashMap<&str, (usize, Item<'_>)> = HashMap::new();
        let mut faults = Faults::new(problems);
        for prompt in items(context.catalog, ListKind::Prompts) {
            if let Some(name) = prompt.key() {
                let (count, first) = seen.entry(name).or_insert((0, prompt));
                *count += 1;
                if *count == 2 && !prompt.is_repeat_of(*first) {
                    faults.add(prompt, "duplicate", "another prompt has the same name");
                }
            }
            let arguments = prompt.raw.get("arguments").and_then(Value::as_array);
            let mut names = HashSet::new();
            let repeated = arguments
                .into_iter()
                .flatten()
                .filter_map(|argument| argument.get("name")?.as_str())
                .find(|name| !names.insert(*name));
            if let Some(name) = repeated {
                faults.add(
                    prompt,
                    "duplicate argument",
                    format!("two of its arguments have the name {name:?}"),
                );
            }
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    let add = |scene: Scene, name: &str, arguments: &[&str]| {
        let arguments: Vec<Value> = arguments.iter().map(|name| json!({ "name": name })).collect();
        scene.item(ListKind::Prompts, json!({"name": name, "arguments": arguments}))
    };
    Examples::of(&ENTRY)
        .flags(
            "prompt \"p\": another prompt has the same name",
            add(add(Scene::new(), "p", &[]), "p", &["a"]),
        )
        .flags("two of its arguments have the name \"a\"", add(Scene::new(), "p", &["a", "b", "a"]))
        .passes(add(add(Scene::new(), "p", &["a"]), "q", &["a"]))
}
