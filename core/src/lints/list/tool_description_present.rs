//! `tool_description_present`.

use super::item::{Faults, tools};
use crate::lints::meta::lint;
use crate::lints::{Lint, ListContext, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
#[cfg(test)]
use serde_json::json;

lint! {
    /// A tool has no description.
    ///
    /// Models choose tools by their descriptions. The protocol does not demand one; nobody can use the tool well without.
    ToolDescriptionPresent(List, Warning) {}
    spec: "schema#tool", fix: "Say in a sentence or two what the tool does, when to use it, and what it returns."
}

impl Lint for ToolDescriptionPresent {
    fn list(&self, context: &ListContext<'_>, problems: &mut Vec<Problem>) {
        let mut faults = Faults::new(problems);
        for tool in tools(context.catalog).filter(|tool| tool.raw.is_object()) {
            match tool.raw.get("description") {
                None => faults.add(tool, "missing", "it has no description"),
                Some(text) if text.as_str().is_some_and(|text| text.trim().is_empty()) => {
                    faults.add(tool, "blank", "its description is blank");
                }
                Some(_) => {}
            }
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    Examples::of(&ENTRY)
        .flags("tool \"a\": it has no description", Scene::new().tool(json!({"name": "a"})))
        .flags(
            "tool \"a\": its description is blank",
            Scene::new().tool(json!({"name": "a", "description": " \n"})),
        )
        .passes(Scene::new().tool(json!({"name": "a", "description": "Reads a file."})))
}
