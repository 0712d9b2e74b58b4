//! `idempotent_tool_not_idempotent`.

use super::observed::{around, is_ok, same_answer, tool_of};
use crate::case::Role;
use crate::lints::meta::lint;
use crate::lints::{CaseContext, Lint, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use crate::sequence::template::check;

lint! {
    /// A tool says that a second equal call changes nothing more, and it does.
    ///
    /// Clients repeat idempotent calls after a time-out without asking. If the repetition has an effect, the user gets it twice.
    IdempotentToolNotIdempotent(Case, Error)
    spec: "server/tools#tool", fix: "Take `idempotentHint: true` off the tool, or make the second call a no-op.", since: V2025_03_26
}

impl Lint for IdempotentToolNotIdempotent {
    fn case(&self, context: &CaseContext<'_>, problems: &mut Vec<Problem>) {
        let execution = context.execution;
        for around in around(execution, check::IDEMPOTENT) {
            // Only the repetition is judged: the first call may change what it likes.
            let Role::Repeat { of, .. } = execution.case.steps[around.subject].role else {
                continue;
            };
            let tool = tool_of(execution, around.subject);
            let idempotent = context
                .catalog
                .tool(tool)
                .is_some_and(|tool| tool.hints.idempotent && !tool.hints.read_only);
            let worked = [of, around.subject, around.before, around.after]
                .into_iter()
                .all(|step| is_ok(execution, step));
            if idempotent && worked && !same_answer(execution, around.before, around.after) {
                let view = tool_of(execution, around.after);
                problems.push(
                    Problem::new(format!("seen by {view}"), format!("`{tool}` says `idempotentHint: true`, but a second equal call changes what `{view}` answers"))
                        .tool(tool)
                        .step(around.subject)
                        .involving([of, around.before, around.after]),
                );
            }
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use super::observed::{execution, roles, structured};
    use serde_json::json;
    let (look, subject) = roles(check::IDEMPOTENT);
    let repeat = Role::Repeat { check: check::IDEMPOTENT.to_owned(), of: 1 };
    let scene = |second: u32| {
        let tool = json!({"name": "set_title", "inputSchema": {"type": "object"}, "annotations": {"idempotentHint": true}});
        Scene::new().tool(tool).ran(execution(vec![
            ("get_task", look.clone(), json!({}), structured(json!({"version": 1}))),
            ("set_title", subject.clone(), json!({"title": "a"}), structured(json!({"ok": true}))),
            ("get_task", look.clone(), json!({}), structured(json!({"version": 2}))),
            ("set_title", repeat.clone(), json!({"title": "a"}), structured(json!({"ok": true}))),
            ("get_task", look.clone(), json!({}), structured(json!({"version": second}))),
        ]))
    };
    Examples::of(&ENTRY).flags("a second equal call", scene(3)).passes(scene(2))
}
