//! `read_only_tool_changes_state`.

use super::observed::{around, is_ok, same_answer, tool_of};
use crate::lints::meta::lint;
use crate::lints::{CaseContext, Lint, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use crate::sequence::template::check;

lint! {
    /// A tool says that it only reads, and what other tools read is different after it.
    ///
    /// Clients call read-only tools without asking the user, in parallel and again after a failure. A tool that changes something under that flag does so behind the user's back.
    ReadOnlyToolChangesState(Case, Error)
    spec: "server/tools#tool", fix: "Take `readOnlyHint: true` off the tool, or make it leave the state alone.", since: V2025_03_26
}

impl Lint for ReadOnlyToolChangesState {
    fn case(&self, context: &CaseContext<'_>, problems: &mut Vec<Problem>) {
        let execution = context.execution;
        for around in around(execution, check::READ_ONLY) {
            let tool = tool_of(execution, around.subject);
            let read_only = context.catalog.tool(tool).is_some_and(|tool| tool.hints.read_only);
            let seen = is_ok(execution, around.before) && is_ok(execution, around.after);
            if read_only && seen && !same_answer(execution, around.before, around.after) {
                let view = tool_of(execution, around.after);
                problems.push(
                    Problem::new(format!("seen by {view}"), format!("`{tool}` says `readOnlyHint: true`, but after it the same call of `{view}` answers differently"))
                        .tool(tool)
                        .step(around.subject)
                        .involving([around.before, around.after]),
                );
            }
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use super::observed::{execution, roles, structured};
    use serde_json::json;
    let (look, subject) = roles(check::READ_ONLY);
    let scene = |after: &str| {
        let tool = |name: &str| json!({"name": name, "inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": true}});
        Scene::new().tool(tool("get_task")).tool(tool("view_board")).ran(execution(vec![
            ("get_task", look.clone(), json!({}), structured(json!({"status": "open"}))),
            ("view_board", subject.clone(), json!({}), structured(json!({"columns": 1}))),
            ("get_task", look.clone(), json!({}), structured(json!({"status": after}))),
        ]))
    };
    Examples::of(&ENTRY).flags("answers differently", scene("closed")).passes(scene("open"))
}
