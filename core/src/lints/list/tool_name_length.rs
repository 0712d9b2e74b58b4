//! `tool_name_length`.

use super::item::{Faults, tools};
use crate::lints::meta::lint;
use crate::lints::{Lint, ListContext, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
#[cfg(test)]
use serde_json::json;

lint! {
    /// A tool's name is empty or longer than the limit.
    ///
    /// The specification allows 1 to 128 characters. Some hosts put the server's name before it and cut at 64.
    ToolNameLength(List, Warning) {
        /// The largest number of characters that is fine.
        max: usize = 128,
    }
    spec: "server/tools#tool-names", fix: "Choose a shorter name and put the rest into the description.", since: V2025_11_25
}

impl Lint for ToolNameLength {
    fn list(&self, context: &ListContext<'_>, problems: &mut Vec<Problem>) {
        let mut faults = Faults::new(problems);
        for tool in tools(context.catalog) {
            let Some(length) = tool.key().map(|name| name.chars().count()) else {
                continue;
            };
            if length == 0 {
                faults.add(tool, "empty", "its name is empty");
            } else if length > self.max {
                let message =
                    format!("its name has {length} characters; the limit is {}", self.max);
                faults.add(tool, "too long", message);
            }
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    let named = |length: usize| Scene::new().tool(json!({"name": "x".repeat(length)}));
    Examples::of(&ENTRY)
        .flags("its name is empty", named(0))
        .flags("has 129 characters; the limit is 128", named(129))
        .flags("the limit is 64", named(65).params(json!({"max": 64})))
        .passes(named(1))
        .passes(named(128))
}
