//! `get_after_delete`.

use super::observed::{
    holds, intent_of, is_ok, objects, same_answer, same_noun, telling_arguments, tool_of,
};
use super::records::targets;
use crate::case::Action;
use crate::lints::meta::lint;
use crate::lints::{CaseContext, Lint, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use crate::schema::key_tokens;
use crate::sequence::intent::{Verb, destroys};
use crate::sequence::resources::names;
use serde_json::Value;

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
        for delete in 0..execution.exchanges.len() {
            let intent = intent_of(context, delete);
            if intent.verb != Verb::Delete || !is_ok(execution, delete) {
                continue;
            }
            for (before, after) in equal_looks(context, delete) {
                problems.extend(still_there(context, delete, before, after));
            }
            problems.extend(resource_still_there(context, delete));
        }
    }
}

/// Equal reads before and after the step, with nothing after the step that could bring back what it deleted.
fn equal_looks(context: &CaseContext<'_>, delete: usize) -> Vec<(usize, usize)> {
    let execution = context.execution;
    let steps = &execution.case.steps;
    let reads = |at: &usize| intent_of(context, *at).verb == Verb::Read && is_ok(execution, *at);
    let quiet =
        |at: &usize| matches!(intent_of(context, *at).verb, Verb::Read | Verb::List | Verb::Delete);
    let after = (delete + 1..execution.exchanges.len()).take_while(quiet).filter(reads);
    let pair = |after: usize| {
        let same = |before: &usize| steps[*before].action == steps[after].action && reads(before);
        let before = (0..delete).rev().take_while(|at| quiet(at)).find(same)?;
        same_answer(execution, before, after).then_some((before, after))
    };
    after.filter_map(pair).collect()
}

fn still_there(
    context: &CaseContext<'_>,
    delete: usize,
    before: usize,
    after: usize,
) -> Option<Problem> {
    let execution = context.execution;
    let asked = telling_arguments(&execution.case.steps[after]);
    let deleted = targets(&execution.case.steps[delete], &intent_of(context, delete));
    let (tool, reader) = (tool_of(execution, delete), tool_of(execution, after));
    let named = |id: &&Value| holds(&execution.exchanges[before], id);
    if same_noun(&intent_of(context, delete), &intent_of(context, after)) {
        // The thing must be named by the same value in both calls, and must have been there.
        let id = deleted.iter().filter(|id| asked.contains(id)).find(named)?;
        let message = format!(
            "`{tool}` acknowledged the deletion of {id}, but `{reader}` still returns it unchanged"
        );
        let problem = Problem::new(format!("seen by {reader}"), message).tool(tool).step(after);
        let problem = problem.involving([before, delete]);
        if destroys(tool) {
            return Some(problem);
        }
        // What was closed or stopped is still there, in a state of which the answer tells.
        let state =
            |name: &String| key_tokens(name).iter().any(|word| word == "status" || word == "state");
        let told = objects(&execution.exchanges[delete]);
        let stays = told.iter().filter_map(Value::as_object).any(|told| told.keys().any(state));
        return (!stays).then(|| problem.warning());
    }
    // What belongs to a deleted thing may be meant to stay; that it still names it is worth a look.
    let [id] = deleted.as_slice() else {
        return None;
    };
    if !is_of_the_thing(context, delete, id) {
        return None;
    }
    if asked.contains(id) && (named(&id) || unmistakable(context, delete, after)) {
        let message = format!(
            "`{tool}` acknowledged the deletion of {id}, but `{reader}`, asked about it, answers as before"
        );
        return Some(
            Problem::new(format!("seen by {reader}"), message).tool(tool).step(after).warning(),
        );
    }
    if !named(&id) {
        return None;
    }
    let message = format!(
        "`{tool}` acknowledged the deletion of {id}, but `{reader}` still returns what belongs to it, unchanged"
    );
    let problem = Problem::new(format!("orphan seen by {reader}"), message).tool(tool).step(after);
    Some(problem.involving([before, delete]).warning())
}

/// A resource of what was deleted that is read still, as it was before or as empty.
fn resource_still_there(context: &CaseContext<'_>, delete: usize) -> Option<Problem> {
    let execution = context.execution;
    let steps = &execution.case.steps;
    let deleted = targets(&steps[delete], &intent_of(context, delete));
    let contents = |at: usize| {
        let result = execution.exchanges[at].result()?;
        result.get("contents").and_then(Value::as_array).filter(|_| is_ok(execution, at))
    };
    let quiet = |at: &usize| {
        steps[*at].action.tool().is_none()
            || !is_ok(execution, *at)
            || matches!(intent_of(context, *at).verb, Verb::Read | Verb::List | Verb::Delete)
    };
    (delete + 1..execution.exchanges.len()).take_while(quiet).find_map(|after| {
        let Action::ReadResource { uri } = &steps[after].action else {
            return None;
        };
        let of_it = |id: &&Value| names(uri, id) && is_of_the_thing(context, delete, id);
        let id = deleted.iter().find(of_it)?;
        let equal = |before: &usize| steps[*before].action == steps[after].action;
        let before = (0..delete).rev().take_while(quiet).find(equal);
        let (was, is) = (before.and_then(contents), contents(after)?);
        let told = if is.is_empty() && was.is_none_or(|was| !was.is_empty()) {
            "gives empty contents rather than an error"
        } else if Some(is) == was && unmistakable_text(is) {
            "still returns the same"
        } else {
            return None;
        };
        let tool = tool_of(execution, delete);
        let message =
            format!("`{tool}` acknowledged the deletion of {id}, but reading {uri} {told}");
        let problem = Problem::new("resource", message).tool(tool).step(after).warning();
        Some(problem.involving(before.into_iter().chain([delete])))
    })
}

/// Whether contents have any text.
fn unmistakable_text(contents: &[Value]) -> bool {
    let texts = contents.iter().filter_map(|content| content.get("text")?.as_str());
    texts.into_iter().any(|text| !text.trim().is_empty())
}

/// Whether the call, or its mode, is one after which nothing is left, and the look still tells something.
fn unmistakable(context: &CaseContext<'_>, delete: usize, after: usize) -> bool {
    let execution = context.execution;
    let texts = |value: &Value| -> Vec<String> {
        let values = crate::mask::values(value).into_iter();
        values.filter_map(|value| value.as_str().map(str::to_owned)).collect()
    };
    let modes = execution.case.steps[delete].action.arguments().map(texts).unwrap_or_default();
    let shown: Vec<String> = objects(&execution.exchanges[after]).iter().flat_map(texts).collect();
    (destroys(tool_of(execution, delete)) || modes.iter().any(|mode| destroys(mode)))
        && shown.iter().any(|text| !text.trim().is_empty())
}

/// Whether a delete's argument of that value names what is deleted, and not what it is in: `session` of `remove_panel`.
fn is_of_the_thing(context: &CaseContext<'_>, delete: usize, id: &Value) -> bool {
    let noun = intent_of(context, delete).into_owned().nouns.pop().unwrap_or_default();
    let arguments = context.execution.case.steps[delete].action.arguments();
    let mut names = arguments
        .and_then(Value::as_object)
        .into_iter()
        .flatten()
        .filter(|(_, value)| *value == id)
        .map(|(name, _)| crate::schema::key_tokens(name));
    names.any(|words| {
        let generic = |word: &String| matches!(word.as_str(), "id" | "uuid" | "key" | "name");
        words.iter().any(|word| *word == noun || crate::schema::singular(word) == noun)
            || words.iter().all(generic)
    })
}

/// A box that was read as a resource, deleted, and read again.
#[cfg(test)]
fn read_after(contents: Value) -> Scene {
    use super::observed::{execution, structured};
    use crate::case::Role;
    use serde_json::json;
    let read = |contents: Value| ("", Role::Call, json!({}), json!({"contents": contents}));
    let id = json!({"id": "b-1"});
    let mut execution = execution(vec![
        read(json!([{"text": "a"}])),
        ("delete_box", Role::Call, id, structured(json!({"deleted": true}))),
        read(contents),
    ]);
    for at in [0, 2] {
        execution.case.steps[at].action = Action::ReadResource { uri: "box://b-1".to_owned() };
    }
    Scene::new().ran(execution)
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use super::observed::{execution, roles, structured};
    use crate::sequence::template::check;
    use serde_json::json;
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
    let screen = |lines: Value| {
        let session = json!({"session": "s-1"});
        let shown = structured(json!({"lines": lines}));
        Scene::new().ran(execution(vec![
            ("get_screen", look.clone(), session.clone(), shown.clone()),
            ("kill_session", subject.clone(), session.clone(), structured(json!({"ok": true}))),
            ("get_screen", look.clone(), session, shown),
        ]))
    };
    let closed = |answer: Value| {
        let id = json!({"id": "tsk_1a"});
        Scene::new().ran(execution(vec![
            ("get_task", look.clone(), id.clone(), task.clone()),
            ("close_task", subject.clone(), id.clone(), structured(answer)),
            ("get_task", look.clone(), id, task.clone()),
        ]))
    };
    Examples::of(&ENTRY)
        .flags("still returns it", closed(json!({"ok": true})))
        .passes(closed(json!({"ok": true, "new_status": "done"})))
        .flags("asked about it, answers as before", screen(json!(["$ ls"])))
        .passes(screen(json!([])))
        .flags("reading box://b-1 gives empty contents", read_after(json!([])))
        .flags("reading box://b-1 still returns the same", read_after(json!([{"text": "a"}])))
        .passes(read_after(json!([{"text": "deleted"}])))
        .flags("still returns it", scene(task.clone()))
        .passes(scene(json!({"isError": true, "content": [{"type": "text", "text": "not found"}]})))
        .passes(scene(structured(json!({"id": "tsk_1a", "title": "x", "deleted": true}))))
}
