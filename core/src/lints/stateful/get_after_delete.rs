//! `get_after_delete`.

use super::observed::{around, holds, intent_of, is_ok, same_answer, same_noun, telling_arguments, tool_of};
use crate::lints::meta::lint;
use crate::lints::{CaseContext, Lint, Problem};
use crate::sequence::intent::Verb;
use crate::sequence::template::check;
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};

lint! {
    /// Something was deleted, the server said so, and it can still be read unchanged.
    ///
    /// The model tells the user that it is gone. It is not, and whoever asks next sees it.
    GetAfterDelete(Case, Error)
    spec: "", fix: "Make the delete take effect before it is acknowledged, or say in the answer that it was not done (a soft delete should show in what is read)."
}

impl Lint for GetAfterDelete {
    fn case(&self, context: &CaseContext<'_>, problems: &mut Vec<Problem>) {
        let execution = context.execution;
        for around in around(execution, check::AFTER_DELETE) {
            let (delete, view) = (intent_of(context, around.subject), intent_of(context, around.after));
            let fits = delete.verb == Verb::Delete && view.verb == Verb::Read && same_noun(&delete, &view);
            let worked = [around.before, around.subject, around.after].into_iter().all(|step| is_ok(execution, step));
            if !fits || !worked || !same_answer(execution, around.before, around.after) {
                continue;
            }
            let asked = telling_arguments(&execution.case.steps[around.after]);
            let deleted = telling_arguments(&execution.case.steps[around.subject]);
            // The thing must be named by the same value in both calls, and must have been there.
            let Some(id) = deleted.iter().find(|id| asked.contains(id) && holds(&execution.exchanges[around.before], id)) else {
                continue;
            };
            let (tool, reader) = (tool_of(execution, around.subject), tool_of(execution, around.after));
            problems.push(
                Problem::new(format!("seen by {reader}"), format!("`{tool}` acknowledged the deletion of {id}, but `{reader}` still returns it unchanged"))
                    .tool(tool)
                    .step(around.after),
            );
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use super::observed::{execution, roles, structured};
    use serde_json::{Value, json};
    let (look, subject) = roles(check::AFTER_DELETE);
    let task = structured(json!({"id": "tsk_1a", "title": "x"}));
    let scene = |after: Value| {
        let id = json!({"id": "tsk_1a"});
        Scene::new().ran(execution(vec![
            ("get_task", look.clone(), id.clone(), task.clone()),
            ("delete_task", subject.clone(), id.clone(), structured(json!({"deleted": true}))),
            ("get_task", look.clone(), id, after),
        ]))
    };
    Examples::of(&ENTRY)
        .flags("still returns it", scene(task.clone()))
        .passes(scene(json!({"isError": true, "content": [{"type": "text", "text": "not found"}]})))
        .passes(scene(structured(json!({"id": "tsk_1a", "title": "x", "deleted": true}))))
}
