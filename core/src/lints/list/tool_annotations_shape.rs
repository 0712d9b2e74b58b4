//! `tool_annotations_shape`.

use super::item::{Faults, Is, ill_typed, tools};
use crate::lints::meta::lint;
use crate::lints::{Lint, ListContext, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
#[cfg(test)]
use serde_json::json;

lint! {
    /// A tool's annotation has the wrong type.
    ///
    /// Typed clients that meet `"readOnlyHint": "true"` lose the tool or the list; others take the hint for absent and assume the worst.
    ToolAnnotationsShape(List, Error) {}
    spec: "schema#toolannotations", fix: "Send the hints as JSON booleans and the title as a string, and leave out what you do not know.", since: V2025_03_26
}

impl Lint for ToolAnnotationsShape {
    fn list(&self, context: &ListContext<'_>, problems: &mut Vec<Problem>) {
        const MEMBERS: [(&str, Is); 5] = [
            ("title", Is::String),
            ("readOnlyHint", Is::Boolean),
            ("destructiveHint", Is::Boolean),
            ("idempotentHint", Is::Boolean),
            ("openWorldHint", Is::Boolean),
        ];
        let mut faults = Faults::new(problems);
        for tool in tools(context.catalog) {
            let Some(annotations) = tool.raw.get("annotations") else {
                continue;
            };
            for (member, wrong) in ill_typed(annotations, &MEMBERS) {
                faults.add(tool, member, format!("annotation {wrong}"));
            }
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    let annotated = |annotations: serde_json::Value| {
        Scene::new().tool(json!({"name": "a", "annotations": annotations}))
    };
    Examples::of(&ENTRY)
        .flags(
            "tool \"a\": annotation `readOnlyHint` is a string (\"true\"), not a boolean",
            annotated(json!({"readOnlyHint": "true"})),
        )
        .flags(
            "annotation `title` is null",
            annotated(json!({"title": null, "openWorldHint": false})),
        )
        .passes(annotated(json!({"title": "A", "readOnlyHint": true, "custom": 3})))
        .passes(Scene::new().tool(json!({"name": "a"})))
}
