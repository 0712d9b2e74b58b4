//! `prompt_shape`.

use super::item::{Faults, Is, Item, ill_typed, items, kind, required_string, shown};
use crate::catalog::ListKind;
use crate::lints::meta::lint;
use crate::lints::{Lint, ListContext, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use serde_json::Value;
#[cfg(test)]
use serde_json::json;

lint! {
    /// A prompt's members are missing or have the wrong type.
    ///
    /// Typed clients give up on what they cannot decode: many lose the whole list because of one bad prompt.
    PromptShape(List, Error) {}
    spec: "schema#prompt", fix: "Give each prompt and each argument a string `name`, send `required` as a boolean, and leave out members that have no value."
}

impl Lint for PromptShape {
    fn list(&self, context: &ListContext<'_>, problems: &mut Vec<Problem>) {
        let mut faults = Faults::new(problems);
        for prompt in items(context.catalog, ListKind::Prompts) {
            check(prompt, &mut faults);
        }
    }
}

fn check(prompt: Item<'_>, faults: &mut Faults<'_>) {
    const MEMBERS: [(&str, Is); 4] = [
        ("title", Is::String),
        ("description", Is::String),
        ("arguments", Is::Array),
        ("_meta", Is::Object),
    ];
    const ARGUMENT: [(&str, Is); 3] =
        [("title", Is::String), ("description", Is::String), ("required", Is::Boolean)];
    let raw = prompt.raw;
    if !raw.is_object() {
        faults.add(
            prompt,
            "not an object",
            format!("it is {} ({}), not an object", kind(raw), shown(raw)),
        );
        return;
    }
    if let Some(wrong) = required_string(raw, "name") {
        faults.add(prompt, "name", wrong);
    }
    for (member, wrong) in ill_typed(raw, &MEMBERS) {
        faults.add(prompt, member, wrong);
    }
    let arguments = raw.get("arguments").and_then(Value::as_array);
    for (index, argument) in arguments.into_iter().flatten().enumerate() {
        if !argument.is_object() {
            let message = format!(
                "argument {index} is {} ({}), not an object",
                kind(argument),
                shown(argument)
            );
            faults.add(prompt, "argument", message);
            continue;
        }
        if let Some(wrong) = required_string(argument, "name") {
            faults.add(prompt, "argument name", format!("argument {index}: {wrong}"));
        }
        for (member, wrong) in ill_typed(argument, &ARGUMENT) {
            faults.add(prompt, format!("argument {member}"), format!("argument {index}: {wrong}"));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    let scene = |item: Value| Scene::new().item(ListKind::Prompts, item);
    Examples::of(&ENTRY)
        .flags("prompt 1 of the list: `name` is missing", scene(json!({})))
        .flags("prompt \"p\": `arguments` is null", scene(json!({"name": "p", "arguments": null})))
        .flags(
            "prompt \"p\": argument 0: `required` is a string (\"yes\"), not a boolean",
            scene(json!({"name": "p", "arguments": [{"name": "a", "required": "yes"}]})),
        )
        .flags(
            "prompt \"p\": argument 1: `name` is missing",
            scene(json!({"name": "p", "arguments": [{"name": "a"}, {}]})),
        )
        .passes(scene(json!({"name": "p", "arguments": [{"name": "a", "required": true}]})))
}
