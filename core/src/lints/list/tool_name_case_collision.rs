//! `tool_name_case_collision`.

use super::item::{Faults, tools};
use crate::lints::meta::lint;
use crate::lints::{Lint, ListContext, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
#[cfg(test)]
use serde_json::json;
use std::collections::HashMap;

lint! {
    /// Two tools' names differ in case only.
    ///
    /// Names are case-sensitive, but models and people mix such names up.
    ToolNameCaseCollision(List, Disabled) {}
    spec: "server/tools#tool-names", fix: "Give the tools names that differ in more than case."
}

impl Lint for ToolNameCaseCollision {
    fn list(&self, context: &ListContext<'_>, problems: &mut Vec<Problem>) {
        let mut seen: HashMap<String, &str> = HashMap::new();
        let mut faults = Faults::new(problems);
        for tool in tools(context.catalog) {
            let Some(name) = tool.key() else {
                continue;
            };
            let first = *seen.entry(name.to_lowercase()).or_insert(name);
            if first != name {
                faults.add(tool, "case", format!("its name differs from {first:?} in case only"));
            }
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    let scene = |names: [&str; 2]| {
        names.into_iter().fold(Scene::new(), |scene, name| scene.tool(json!({ "name": name })))
    };
    Examples::of(&ENTRY)
        .flags(
            "tool \"Read\": its name differs from \"read\" in case only",
            scene(["read", "Read"]),
        )
        .passes(scene(["read", "write"]))
        .passes(scene(["read", "read"]))
}
