//! `list_disagrees`.

use super::observed::{Around, around, holds, intent_of, is_ok, objects, same_answer, same_noun, telling_arguments, tool_of};
use crate::lints::meta::lint;
use crate::lints::{CaseContext, Execution, Lint, Problem};
use crate::sequence::intent::Verb;
use crate::sequence::template::check;
use serde_json::Value;
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};

lint! {
    /// A list does not agree with what was created or deleted before it.
    ///
    /// A model plans with what it lists: what is missing is made twice, what is listed and gone makes the next call fail.
    ListDisagrees(Case, Error)
    spec: "", fix: "Make the list and the single reads come from the same store, and update it before the change is acknowledged."
}

/// Lists with more items may be cut.
const SHORT: usize = 10;

impl Lint for ListDisagrees {
    fn case(&self, context: &CaseContext<'_>, problems: &mut Vec<Problem>) {
        let execution = context.execution;
        for around in around(execution, check::AFTER_DELETE).into_iter().chain(self::around(execution, check::CREATE)) {
            let (change, list) = (intent_of(context, around.subject), intent_of(context, around.after));
            let worked = [around.before, around.subject, around.after].into_iter().all(|step| is_ok(execution, step));
            if list.verb != Verb::List || !same_noun(&change, &list) || !worked || !same_answer(execution, around.before, around.after) {
                continue;
            }
            let (tool, lister) = (tool_of(execution, around.subject), tool_of(execution, around.after));
            let problem = match change.verb {
                Verb::Delete => deleted_still_listed(execution, around, tool, lister),
                Verb::Create => created_not_listed(execution, around, tool, lister),
                _ => None,
            };
            problems.extend(problem);
        }
    }
}

fn deleted_still_listed(execution: &Execution, around: Around, tool: &str, lister: &str) -> Option<Problem> {
    let deleted = telling_arguments(&execution.case.steps[around.subject]);
    let id = deleted.iter().find(|id| holds(&execution.exchanges[around.before], id))?;
    let message = format!("`{tool}` acknowledged the deletion of {id}, but `{lister}` still lists it");
    Some(Problem::new(format!("deleted and listed by {lister}"), message).tool(tool).step(around.after))
}

fn created_not_listed(execution: &Execution, around: Around, tool: &str, lister: &str) -> Option<Problem> {
    let step = &execution.case.steps[around.after];
    let filtered = step.action.arguments().and_then(Value::as_object).is_some_and(|arguments| !arguments.is_empty());
    let documents = objects(&execution.exchanges[around.after]);
    let cut = documents.iter().any(|document| longest_list(document) >= SHORT || says_more(document));
    let known = telling_arguments(&execution.case.steps[around.subject]).iter().any(|value| holds(&execution.exchanges[around.before], value));
    if filtered || cut || known || documents.is_empty() {
        return None;
    }
    let message = format!("`{tool}` acknowledged a new item, but `{lister}` lists the same as before");
    // A store may take a moment; a missing item is less certain than one that will not go.
    Some(Problem::new(format!("created and not listed by {lister}"), message).tool(tool).step(around.after).warning())
}

fn longest_list(document: &Value) -> usize {
    match document {
        Value::Array(items) => items.len().max(items.iter().map(longest_list).max().unwrap_or(0)),
        Value::Object(members) => members.values().map(longest_list).max().unwrap_or(0),
        _ => 0,
    }
}

/// Whether a page says that there are more.
fn says_more(document: &Value) -> bool {
    let Some(members) = document.as_object() else {
        return false;
    };
    members.iter().any(|(key, value)| {
        let key = key.to_ascii_lowercase();
        (key.contains("more") && value == &Value::Bool(true)) || (key.contains("cursor") && value.is_string())
    })
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use super::observed::{execution, roles, structured};
    use serde_json::json;
    let listed = |ids: &[&str]| structured(json!({"tasks": ids.iter().map(|id| json!({"id": id})).collect::<Vec<_>>()}));
    let deletion = |after: &[&str]| {
        let (look, subject) = roles(check::AFTER_DELETE);
        Scene::new().ran(execution(vec![
            ("list_tasks", look.clone(), json!({}), listed(&["tsk_1", "tsk_2"])),
            ("delete_task", subject, json!({"id": "tsk_1"}), structured(json!({"ok": true}))),
            ("list_tasks", look, json!({}), listed(after)),
        ]))
    };
    let creation = |after: &[&str]| {
        let (look, subject) = roles(check::CREATE);
        Scene::new().ran(execution(vec![
            ("list_tasks", look.clone(), json!({}), listed(&[])),
            ("create_task", subject, json!({"title": "x"}), structured(json!({"id": "tsk_1"}))),
            ("list_tasks", look, json!({}), listed(after)),
        ]))
    };
    Examples::of(&ENTRY)
        .flags("still lists it", deletion(&["tsk_1", "tsk_2"]))
        .flags("lists the same as before", creation(&[]))
        .passes(deletion(&["tsk_2"]))
        .passes(creation(&["tsk_1"]))
}
