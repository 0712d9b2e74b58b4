//! `instructions_present_text`.

use crate::lints::meta::lint;
use crate::lints::{Lint, ListContext, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
#[cfg(test)]
use serde_json::json;

lint! {
    /// The server's `instructions` are blank.
    ///
    /// Clients put them into the model's context. Blank ones say nothing and hide that there are none.
    InstructionsPresentText(List, Disabled) {}
    spec: "schema#initializeresult", fix: "Say how the tools belong together and when to use them, or leave `instructions` out.", until: V2025_11_25
}

impl Lint for InstructionsPresentText {
    fn list(&self, context: &ListContext<'_>, problems: &mut Vec<Problem>) {
        if context.server.instructions.as_ref().is_some_and(|text| text.trim().is_empty()) {
            problems.push(Problem::new("blank", "the server's `instructions` are blank"));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    let scene = |text: &str| Scene::new().opened(json!({"instructions": text}));
    Examples::of(&ENTRY)
        .flags("the server's `instructions` are blank", scene(" \n"))
        .passes(scene("Read before you write."))
        .passes(Scene::new())
}
