//! `tool_name_format`.

use super::item::{Faults, tools};
use crate::lints::meta::lint;
use crate::lints::{Lint, ListContext, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
#[cfg(test)]
use serde_json::json;

lint! {
    /// A tool's name has characters other than ASCII letters, digits, `_`, `-` and `.`.
    ///
    /// Hosts build function names from it and refuse or rewrite what their model's interface does not take.
    ToolNameFormat(List, Warning) {}
    spec: "server/tools#tool-names", fix: "Use only A–Z, a–z, 0–9, `_`, `-` and `.` in tool names.", since: V2025_11_25
}

impl Lint for ToolNameFormat {
    fn list(&self, context: &ListContext<'_>, problems: &mut Vec<Problem>) {
        let mut faults = Faults::new(problems);
        for tool in tools(context.catalog) {
            let odd = tool.key().and_then(|name| name.chars().find(|c| !is_allowed(*c)));
            match odd {
                Some('/') => faults.add(tool, "slash", "its name has a slash in it; an earlier proposal allowed that, the specification does not"),
                Some(odd) => faults.add(tool, "character", format!("its name has the character {odd:?} in it")),
                None => {}
            }
        }
    }
}

fn is_allowed(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.')
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    let named = |name: &str| Scene::new().tool(json!({ "name": name }));
    Examples::of(&ENTRY)
        .flags("the character ' '", named("read file"))
        .flags("the character 'é'", named("résumé"))
        .flags("has a slash", named("files/read"))
        .passes(named("admin.tools-list_V2"))
}
