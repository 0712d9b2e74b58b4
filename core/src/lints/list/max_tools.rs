//! `max_tools`.

use crate::lints::meta::lint;
use crate::lints::{Lint, ListContext, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};

lint! {
    /// The server offers more tools than the configured number.
    ///
    /// Every tool's description and schema goes into the model's context. Clients cut long lists, and models choose worse from them.
    MaxTools(List, Warning) {
        /// The largest number of tools that is fine.
        max: usize = 128,
    }
    spec: "", fix: "Offer fewer tools, merge near-duplicates, or split the server."
}

impl Lint for MaxTools {
    fn list(&self, context: &ListContext<'_>, problems: &mut Vec<Problem>) {
        let count = context.catalog.tools.len();
        if count > self.max {
            problems.push(Problem::new(
                "too many tools",
                format!("the server offers {count} tools; the limit is {}", self.max),
            ));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    let tool = |name: &str| serde_json::json!({"name": name, "inputSchema": {"type": "object"}});
    let scene = |max: usize| {
        let params = serde_json::json!({ "max": max });
        Scene::new().params(params).tool(tool("a")).tool(tool("b"))
    };
    Examples::of(&ENTRY).flags("offers 2 tools; the limit is 1", scene(1)).passes(scene(2))
}
