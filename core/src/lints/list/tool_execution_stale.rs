//! `tool_execution_stale`.

use super::item::tools;
use crate::lints::meta::lint;
use crate::lints::{Lint, ListContext, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
#[cfg(test)]
use crate::protocol::Revision;
#[cfg(test)]
use serde_json::json;

lint! {
    /// A tool has `execution`, which 2026-07-28 removed.
    ///
    /// Nobody reads it in this revision; tasks are an extension now and are started by the server.
    ToolExecutionStale(List, Disabled) {}
    spec: "changelog", fix: "Leave `execution` out of tools served at 2026-07-28.", since: V2026_07_28
}

impl Lint for ToolExecutionStale {
    fn list(&self, context: &ListContext<'_>, problems: &mut Vec<Problem>) {
        for tool in tools(context.catalog).filter(|tool| tool.raw.get("execution").is_some()) {
            problems.push(
                tool.problem("execution", "it has `execution`, which this revision does not know"),
            );
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    let scene = || Scene::at(Revision::V2026_07_28);
    Examples::of(&ENTRY)
        .flags(
            "tool \"a\": it has `execution`",
            scene().tool(json!({"name": "a", "execution": {}})),
        )
        .passes(scene().tool(json!({"name": "a"})))
}
