//! `tool_shape`.

use super::item::{Faults, Is, ill_typed, kind, required_string, shown, tools};
use crate::lints::meta::lint;
use crate::lints::{Lint, ListContext, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use crate::protocol::Revision;
#[cfg(test)]
use serde_json::json;

lint! {
    /// A tool's members are missing or have the wrong type.
    ///
    /// Typed clients give up on what they cannot decode: many lose the whole list because of one bad tool. Schemas have lints of their own.
    ToolShape(List, Error) {}
    spec: "schema#tool", fix: "Give each tool a string `name`, and leave out members that have no value instead of sending null."
}

impl Lint for ToolShape {
    fn list(&self, context: &ListContext<'_>, problems: &mut Vec<Problem>) {
        let members = members(context.revision);
        let mut faults = Faults::new(problems);
        for tool in tools(context.catalog) {
            if !tool.raw.is_object() {
                let found =
                    format!("it is {} ({}), not an object", kind(tool.raw), shown(tool.raw));
                faults.add(tool, "not an object", found);
                continue;
            }
            if let Some(wrong) = required_string(tool.raw, "name") {
                faults.add(tool, "name", wrong);
            }
            for (member, wrong) in ill_typed(tool.raw, &members) {
                faults.add(tool, member, wrong);
            }
        }
    }
}

/// The optional members of a tool in that revision, but for annotations, icons and schemas, which other lints look into.
fn members(revision: Revision) -> Vec<(&'static str, Is)> {
    let mut members = vec![("description", Is::String)];
    if revision >= Revision::V2025_03_26 {
        members.push(("annotations", Is::Object));
    }
    if revision >= Revision::V2025_06_18 {
        members.extend([
            ("title", Is::String),
            ("outputSchema", Is::Object),
            ("_meta", Is::Object),
        ]);
    }
    if revision >= Revision::V2025_11_25 {
        members.push(("icons", Is::Array));
    }
    members
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    let schema = json!({"type": "object"});
    Examples::of(&ENTRY)
        .flags(
            "tool 1 of the list: `name` is missing",
            Scene::new().tool(json!({"inputSchema": schema})),
        )
        .flags("tool 1 of the list: `name` is a number (3)", Scene::new().tool(json!({"name": 3})))
        .flags(
            "tool \"a\": `description` is null",
            Scene::new().tool(json!({"name": "a", "description": null})),
        )
        .flags(
            "tool \"a\": `outputSchema` is a boolean (true)",
            Scene::new().tool(json!({"name": "a", "outputSchema": true})),
        )
        .flags("it is a string (\"a\"), not an object", Scene::new().tool(json!("a")))
        .passes(
            Scene::new().tool(
                json!({"name": "a", "description": "A.", "inputSchema": schema, "_meta": {}}),
            ),
        )
        .passes(Scene::at(Revision::V2024_11_05).tool(json!({"name": "a", "title": 3})))
}
