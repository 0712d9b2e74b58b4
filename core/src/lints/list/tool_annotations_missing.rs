//! `tool_annotations_missing`.

use super::item::tools;
use crate::lints::meta::lint;
use crate::lints::{Lint, ListContext, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
#[cfg(test)]
use serde_json::json;

lint! {
    /// Tools have no hints in their annotations.
    ///
    /// Without hints a careful client must take a tool for destructive and open to the world, and ask before each call.
    ToolAnnotationsMissing(List, Disabled) {}
    spec: "schema#toolannotations", fix: "Set `readOnlyHint`, and for tools that change things `destructiveHint` and `idempotentHint`.", since: V2025_03_26
}

const HINTS: [&str; 4] = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"];

impl Lint for ToolAnnotationsMissing {
    fn list(&self, context: &ListContext<'_>, problems: &mut Vec<Problem>) {
        for tool in tools(context.catalog).filter(|tool| tool.raw.is_object()) {
            let annotations = tool.raw.get("annotations");
            let has = |hint: &&str| {
                annotations.is_some_and(|annotations| annotations.get(hint).is_some())
            };
            if !HINTS.iter().any(has) {
                problems.push(
                    tool.problem("no hints", "it has no hint about what it does to the world"),
                );
            }
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    Examples::of(&ENTRY)
        .flags("tool \"a\": it has no hint", Scene::new().tool(json!({"name": "a"})))
        .flags(
            "tool \"a\": it has no hint",
            Scene::new().tool(json!({"name": "a", "annotations": {"title": "A"}})),
        )
        .passes(Scene::new().tool(json!({"name": "a", "annotations": {"readOnlyHint": false}})))
}
