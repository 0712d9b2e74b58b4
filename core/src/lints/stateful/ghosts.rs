//! Ghosts: what is listed though it is gone, by what other answers say, and what is gone though it was not to go.

use super::lists::{Listing, id_of, only};
use super::observed::{holds, intent_of, is_ok, is_telling, objects, tool_of};
use crate::lints::{CaseContext, Problem};
use crate::sequence::feedback::{error_text, mentions, says_missing};
use crate::sequence::intent::{Verb, destroys};
use crate::sequence::mine;
use serde_json::{Map, Value};

/// Words by which an item says that it is not there any more, or only that it is past its use.
const PAST: &[&str] = &[
    "delet", "remov", "trash", "archiv", "cancel", "closed", "ended", "exit", "kill", "stop",
    "gone", "dead", "history",
];
/// Words of refusals of what is there and not in use.
const IDLE: &[&str] = &["running", "active", "already", "alive", "open", "connected"];
/// Names of members that say what a call took away.
const TAKEN: &[&str] = &["removed", "deleted", "destroyed", "purged"];

/// What the lists of a case show that is gone, and what went with something else.
pub(super) fn ghosts(
    context: &CaseContext<'_>,
    listings: &[Listing<'_>],
    problems: &mut Vec<Problem>,
) {
    for (number, after) in listings.iter().enumerate() {
        problems.extend(said_to_be_gone(context, after));
        problems.extend(not_there(context, after));
        let equal = |before: &&Listing<'_>| {
            before.tool == after.tool && before.asked == after.asked && !before.items.is_empty()
        };
        if let Some(before) = listings[..number].iter().rev().find(equal) {
            problems.extend(went_along(context, before, after));
        }
    }
}

/// The latest call before a step that may have changed something.
fn latest_change(context: &CaseContext<'_>, until: usize) -> Option<usize> {
    (0..until).rev().find(|at| is_change(context, *at))
}

fn is_change(context: &CaseContext<'_>, at: usize) -> bool {
    let steps = &context.execution.case.steps;
    steps[at].action.tool().is_some()
        && !matches!(intent_of(context, at).verb, Verb::Read | Verb::List)
        && !context.execution.outcomes[at].kind.is_refusal()
}

/// Whether an item, or what was asked for, says that it is not there as the others are.
fn is_past(item: &Map<String, Value>, asked: &Map<String, Value>) -> bool {
    let says = |text: &str| {
        let text = text.to_lowercase();
        PAST.iter().any(|word| text.contains(word))
    };
    let marked = |(name, value): (&String, &Value)| match value {
        Value::Bool(false) | Value::Null => false,
        Value::String(value) => value.len() < 24 && says(value) || says(name),
        _ => says(name),
    };
    // A name of its own choosing says nothing.
    let rest = item.iter().filter(|(_, value)| Some(*value) != id_of(item));
    rest.into_iter().any(marked)
        || asked.iter().any(|(name, value)| says(name) || value.as_str().is_some_and(says))
}

/// A list right after a call that said what it took away, and that shows one of these all the same.
fn said_to_be_gone(context: &CaseContext<'_>, list: &Listing<'_>) -> Option<Problem> {
    let execution = context.execution;
    let change = latest_change(context, list.at).filter(|at| is_ok(execution, *at))?;
    let documents = objects(&execution.exchanges[change]);
    let [document] = documents.as_slice() else {
        return None;
    };
    let taken = document.as_object()?.iter().find(|(name, _)| TAKEN.contains(&name.as_str()))?.1;
    let ids = crate::mask::values(taken);
    let item = list.items.iter().find(|item| {
        id_of(item).is_some_and(|id| is_telling(id) && ids.contains(id))
            && !is_past(item, &list.asked)
    })?;
    let (tool, lister) = (tool_of(execution, change), list.tool);
    let message = format!(
        "`{tool}` answered that it removed {}, but `{lister}` still lists it",
        id_of(item)?
    );
    let problem = Problem::new(format!("removed and listed by {lister}"), message).tool(tool);
    Some(problem.step(list.at).involving([change]).warning())
}

/// A list that shows what was deleted, where a call in the same state was refused since it is not there.
fn not_there(context: &CaseContext<'_>, list: &Listing<'_>) -> Option<Problem> {
    let execution = context.execution;
    let steps = &execution.case.steps;
    let delete = latest_change(context, list.at).filter(|at| is_ok(execution, *at))?;
    let sent = steps[delete].action.arguments()?;
    let gone = destroys(tool_of(execution, delete))
        || crate::mask::values(sent).iter().filter_map(Value::as_str).any(destroys);
    if intent_of(context, delete).verb != Verb::Delete || !gone {
        return None;
    }
    let sent = mine::arguments(sent);
    let refused = |id: &Value| {
        (delete + 1..execution.exchanges.len())
            .take_while(|at| *at < list.at || !is_change(context, *at))
            .filter(|at| execution.outcomes[*at].kind.is_refusal())
            .find(|at| {
                let asked = steps[*at].action.arguments().map(mine::arguments).unwrap_or_default();
                let text = error_text(&execution.exchanges[*at]).to_lowercase();
                let word = id.as_str().unwrap_or_default().to_lowercase();
                says_missing(&text)
                    && mentions(&text, &word)
                    && asked.iter().any(|asked| asked.value == *id)
                    && !IDLE.iter().any(|word| text.contains(word))
            })
    };
    list.items.iter().find_map(|item| {
        let id = id_of(item).filter(|id| is_telling(id))?;
        let deleted = sent.iter().any(|sent| sent.value == *id) && !is_past(item, &list.asked);
        let refused = refused(id).filter(|_| deleted)?;
        let (tool, lister) = (tool_of(execution, refused), list.tool);
        let message = format!(
            "`{lister}` lists {id} after it was deleted, while `{tool}` says that it is not there"
        );
        let step = list.at.max(refused);
        let problem = Problem::new("deleted and listed, not found", message).tool(lister);
        Some(problem.step(step).involving([delete, list.at.min(refused)]).warning())
    })
}

/// Something that is no longer listed once another one was deleted, whose id its own begins with.
fn went_along(
    context: &CaseContext<'_>,
    before: &Listing<'_>,
    after: &Listing<'_>,
) -> Option<Problem> {
    let execution = context.execution;
    let delete = latest_change(context, after.at).filter(|at| *at > before.at)?;
    let alone = only(context, before.at, delete, &[]) && is_ok(execution, delete);
    if !alone || intent_of(context, delete).verb != Verb::Delete {
        return None;
    }
    let sent = mine::arguments(execution.case.steps[delete].action.arguments()?);
    let named = |id: &Value| sent.iter().any(|sent| sent.value == *id);
    let deleted = before.items.iter().find(|item| id_of(item).is_some_and(named))?;
    let deleted_id = id_of(deleted).filter(|id| !after.has(id))?;
    let lost = before.items.iter().find(|item| {
        id_of(item).is_some_and(|id| {
            is_namesake(id, deleted_id)
                && !named(id)
                && !after.has(id)
                && !holds(&execution.exchanges[delete], id)
        })
    })?;
    let (tool, lister) = (tool_of(execution, delete), after.tool);
    let message = format!(
        "after `{tool}` deleted {deleted_id}, `{lister}` no longer lists {} either",
        id_of(lost)?
    );
    let problem = Problem::new(format!("lost from {lister} with another"), message).tool(tool);
    Some(problem.step(after.at).involving([before.at, delete]).warning())
}

/// Whether an id begins with another one, and is not marked as a part of it: `s10` and `s1`, not `s1/0`.
fn is_namesake(id: &Value, other: &Value) -> bool {
    let (Some(id), Some(other)) = (id.as_str(), other.as_str()) else {
        return false;
    };
    let rest = id.strip_prefix(other).unwrap_or_default();
    rest.starts_with(|c: char| c.is_ascii_alphanumeric())
}

#[cfg(test)]
pub(super) mod scenes {
    use super::super::observed::{execution, structured};
    use crate::case::Role;
    use crate::lints::scene::Scene;
    use serde_json::{Value, json};

    fn boxes(items: &[Value]) -> Value {
        structured(json!({"boxes": items}))
    }

    /// A layer that was left, which says that it removed a box, and the boxes listed then.
    pub(in super::super) fn left(listed: &[&str]) -> Scene {
        let items: Vec<Value> = listed.iter().map(|id| json!({"id": id, "layer": "a"})).collect();
        Scene::new().ran(execution(vec![
            ("layer_mode", Role::Call, json!({}), structured(json!({"removed": ["box-1"]}))),
            ("list_boxes", Role::Call, json!({}), boxes(&items)),
        ]))
    }

    /// A box that was deleted, cannot be found, and is listed with this member.
    pub(in super::super) fn deleted(name: &str, value: &Value) -> Scene {
        let box_1 = json!({"id": "box-1"});
        let refusal =
            json!({"isError": true, "content": [{"type": "text", "text": "unknown box: box-1"}]});
        Scene::new().ran(execution(vec![
            ("delete_box", Role::Call, box_1.clone(), structured(json!({"ok": true}))),
            ("list_boxes", Role::Call, json!({}), boxes(&[json!({"id": "box-1", name: value})])),
            ("get_box", Role::Call, box_1, refusal),
        ]))
    }

    /// Two boxes of which one was deleted, and what is listed then.
    pub(in super::super) fn namesakes(other: &str, listed: &[&str]) -> Scene {
        let items =
            |ids: &[&str]| -> Vec<Value> { ids.iter().map(|id| json!({"id": id})).collect() };
        Scene::new().ran(execution(vec![
            ("list_boxes", Role::Call, json!({}), boxes(&items(&["box-1", other]))),
            ("delete_box", Role::Call, json!({"id": "box-1"}), structured(json!({"ok": true}))),
            ("list_boxes", Role::Call, json!({}), boxes(&items(listed))),
        ]))
    }
}
