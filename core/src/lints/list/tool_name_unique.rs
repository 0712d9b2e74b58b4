//! `tool_name_unique`.

use super::item::{Faults, Item, items};
use crate::catalog::ListKind;
use crate::lints::meta::lint;
use crate::lints::{Lint, ListContext, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
#[cfg(test)]
use serde_json::json;
use std::collections::HashMap;

lint! {
    /// Two tools have the same name.
    ///
    /// A call by name can reach only one of them, and clients differ in which one they keep.
    ToolNameUnique(List, Error) {}
    spec: "server/tools#tool-names", fix: "Rename one of the tools, or list it once."
}

impl Lint for ToolNameUnique {
    fn list(&self, context: &ListContext<'_>, problems: &mut Vec<Problem>) {
        let mut seen: HashMap<&str, (usize, Item<'_>)> = HashMap::new();
        let mut faults = Faults::new(problems);
        for tool in items(context.catalog, ListKind::Tools) {
            let Some(name) = tool.key() else {
                continue;
            };
            let (count, first) = seen.entry(name).or_insert((0, tool));
            *count += 1;
            // A tool that comes again unchanged on a later page is a fault of the pages.
            if *count == 2 && !tool.is_repeat_of(*first) {
                faults.add(tool, "duplicate", "another tool has the same name");
            }
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    let tool = |name: &str, description: &str| json!({"name": name, "description": description});
    Examples::of(&ENTRY)
        .flags(
            "tool \"a\": another tool has the same name",
            Scene::new().tool(tool("a", "A.")).tool(tool("a", "A.")),
        )
        .flags(
            "tool \"a\"",
            Scene::new()
                .tool(tool("a", "A."))
                .tool(tool("b", ""))
                .tool(tool("a", "C."))
                .tool(tool("a", "D.")),
        )
        .passes(Scene::new().tool(tool("a", "A.")).tool(tool("A", "A.")))
}
