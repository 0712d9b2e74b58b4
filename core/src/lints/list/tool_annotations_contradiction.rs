//! `tool_annotations_contradiction`.

use super::item::{Faults, tools};
use crate::lints::meta::lint;
use crate::lints::{Lint, ListContext, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use serde_json::Value;
#[cfg(test)]
use serde_json::json;

lint! {
    /// A tool says that it is read-only and destructive.
    ///
    /// `destructiveHint` means something only where the tool is not read-only. One of the two is untrue, and clients decide by them what to run unasked.
    ToolAnnotationsContradiction(List, Warning) {}
    spec: "schema#toolannotations", fix: "Set `readOnlyHint` to false if the tool changes anything; otherwise leave `destructiveHint` out.", since: V2025_03_26
}

impl Lint for ToolAnnotationsContradiction {
    fn list(&self, context: &ListContext<'_>, problems: &mut Vec<Problem>) {
        let mut faults = Faults::new(problems);
        for tool in tools(context.catalog) {
            let says = |hint: &str| {
                tool.raw.pointer(&format!("/annotations/{hint}")).and_then(Value::as_bool)
                    == Some(true)
            };
            if says("readOnlyHint") && says("destructiveHint") {
                faults.add(
                    tool,
                    "read-only and destructive",
                    "it says `readOnlyHint: true` and `destructiveHint: true`",
                );
            }
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    let hints = |read_only: bool, destructive: bool| {
        Scene::new().tool(json!({"name": "a", "annotations": {"readOnlyHint": read_only, "destructiveHint": destructive}}))
    };
    Examples::of(&ENTRY)
        .flags(
            "tool \"a\": it says `readOnlyHint: true` and `destructiveHint: true`",
            hints(true, true),
        )
        .passes(hints(true, false))
        .passes(hints(false, true))
        .passes(Scene::new().tool(
            json!({"name": "a", "annotations": {"readOnlyHint": true, "idempotentHint": true}}),
        ))
}
