//! `list_disagrees`.

use super::observed::{
    Around, around, holders, holds, intent_of, is_ok, is_telling, objects, same_answer, same_noun,
    telling_arguments, tool_of,
};
use crate::exchange::Exchange;
use crate::lints::meta::lint;
use crate::lints::{CaseContext, Execution, Lint, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use crate::sequence::intent::{Verb, destroys};
use crate::sequence::template::check;
use serde_json::{Map, Value};

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
        for around in around(execution, check::AFTER_DELETE)
            .into_iter()
            .chain(self::around(execution, check::CREATE))
        {
            let (change, list) =
                (intent_of(context, around.subject), intent_of(context, around.after));
            let worked = [around.before, around.subject, around.after]
                .into_iter()
                .all(|step| is_ok(execution, step));
            if list.verb != Verb::List || !same_noun(&change, &list) || !worked {
                continue;
            }
            let (tool, lister) =
                (tool_of(execution, around.subject), tool_of(execution, around.after));
            let problem = match change.verb {
                Verb::Delete => deleted_still_listed(execution, around, tool, lister),
                Verb::Create if same_answer(execution, around.before, around.after) => {
                    created_not_listed(execution, around, tool, lister)
                }
                Verb::Create => creation_took_away(execution, around, tool, lister),
                _ => None,
            };
            problems.extend(problem);
        }
        let lists = (0..execution.exchanges.len())
            .filter(|at| is_ok(execution, *at) && intent_of(context, *at).verb == Verb::List);
        for at in lists {
            problems.extend(wrong_total(execution, at));
            problems.extend(turned(execution, at));
        }
        let mut others = Vec::new();
        super::lists::disagreements(context, &mut others);
        others.retain(|other| problems.iter().all(|told| told.rule != other.rule));
        problems.extend(others);
    }
}

/// Whether an item has an id of its own, of the same make as `id`: then `id` is only mentioned there, in a title or as a link.
fn is_another(item: &Value, id: &Value) -> bool {
    let make = |id: &Value| id.as_str().map(crate::outcome::template);
    item.get("id").is_some_and(|own| own != id && make(own).is_some() && make(own) == make(id))
}

fn deleted_still_listed(
    execution: &Execution,
    around: Around,
    tool: &str,
    lister: &str,
) -> Option<Problem> {
    let deleted = telling_arguments(&execution.case.steps[around.subject]);
    let asks = execution.case.steps[around.after]
        .action
        .arguments()
        .map(ToString::to_string)
        .unwrap_or_default()
        .to_lowercase();
    if ["delet", "trash", "archiv", "all", "true"].iter().any(|word| asks.contains(word)) {
        return None;
    }
    // What a soft delete marks is not listed as if nothing had happened.
    let (before, after) = (&execution.exchanges[around.before], &execution.exchanges[around.after]);
    let unchanged = |id: &Value| {
        let listed = holders(before, id);
        !listed.is_empty()
            && listed == holders(after, id)
            && !listed.iter().any(|holder| is_another(holder, id))
    };
    let id = deleted.iter().find(|id| unchanged(id))?;
    let message =
        format!("`{tool}` acknowledged the deletion of {id}, but `{lister}` still lists it");
    let problem = Problem::new(format!("deleted and listed by {lister}"), message)
        .tool(tool)
        .step(around.after);
    Some(if destroys(tool) { problem } else { problem.warning() })
}

fn created_not_listed(
    execution: &Execution,
    around: Around,
    tool: &str,
    lister: &str,
) -> Option<Problem> {
    let (before, after) = (&execution.exchanges[around.before], &execution.exchanges[around.after]);
    let known = telling_arguments(&execution.case.steps[around.subject])
        .iter()
        .any(|value| holds(before, value));
    if known
        || is_filtered(execution, around.after)
        || !is_whole(after)
        || objects(after).is_empty()
    {
        return None;
    }
    // Without a new id it may be another kind of thing, or one that was there before.
    let made = objects(&execution.exchanges[around.subject]);
    let arguments = execution.case.steps[around.subject].action.arguments();
    let sent = arguments.map(crate::mask::values).unwrap_or_default();
    let is_new = |id: &Value| !holds(before, id) && !sent.contains(id);
    let id = made.iter().flat_map(own_ids).find(|id| is_new(id))?;
    let message =
        format!("`{tool}` acknowledged the new item {id}, but `{lister}` lists the same as before");
    // A store may take a moment; a missing item is less certain than one that will not go.
    Some(
        Problem::new(format!("created and not listed by {lister}"), message)
            .tool(tool)
            .step(around.after)
            .warning(),
    )
}

/// A new thing must not make another one vanish.
fn creation_took_away(
    execution: &Execution,
    around: Around,
    tool: &str,
    lister: &str,
) -> Option<Problem> {
    let (before, after) = (&execution.exchanges[around.before], &execution.exchanges[around.after]);
    if is_filtered(execution, around.after) || !is_whole(before) || !is_whole(after) {
        return None;
    }
    let gone = objects(before).iter().flat_map(item_ids).find(|id| !holds(after, id))?;
    let message =
        format!("after `{tool}` acknowledged a new item, `{lister}` no longer lists {gone}");
    Some(
        Problem::new(format!("created and lost from {lister}"), message)
            .tool(tool)
            .step(around.after)
            .warning(),
    )
}

/// Whether a list was asked for with arguments, which may leave things out.
fn is_filtered(execution: &Execution, at: usize) -> bool {
    let arguments = execution.case.steps[at].action.arguments().and_then(Value::as_object);
    arguments.is_some_and(|arguments| !arguments.is_empty())
}

/// Whether a list is short enough not to be cut, and does not say that it goes on.
pub(super) fn is_whole(exchange: &Exchange) -> bool {
    objects(exchange).iter().all(|document| longest_list(document) < SHORT && !says_more(document))
}

/// The ids that an answer gives to what was made: its own `id`, that of the thing in it, or those of its items.
fn own_ids(document: &Value) -> Vec<Value> {
    let things = document.as_object().into_iter().flat_map(Map::values);
    let own = std::iter::once(document).chain(things).filter_map(|thing| thing.get("id"));
    own.filter(|id| id.is_string() || id.is_number()).cloned().chain(item_ids(document)).collect()
}

/// The ids of a list's items.
fn item_ids(document: &Value) -> Vec<Value> {
    let items = match document {
        Value::Array(items) => Some(items),
        Value::Object(members) => members.values().find_map(Value::as_array),
        _ => None,
    };
    items
        .into_iter()
        .flatten()
        .filter_map(|item| item.get("id").filter(|id| is_telling(id)).cloned())
        .collect()
}

/// A total that is not the number of items, where the answer says that these are all.
fn wrong_total(execution: &Execution, at: usize) -> Option<Problem> {
    let paged = execution.case.steps[at].action.arguments().and_then(Value::as_object);
    let from_start = paged.is_none_or(|arguments| {
        arguments.iter().all(|(name, value)| !is_position(name) || value.is_null() || *value == 0)
    });
    let documents = objects(&execution.exchanges[at]);
    let [Value::Object(members)] = documents.as_slice() else {
        return None;
    };
    let mut lists = members.values().filter_map(Value::as_array);
    let (items, only) = (lists.next()?, lists.next().is_none());
    let total = ["total", "total_count", "totalCount"]
        .iter()
        .find_map(|name| members.get(*name)?.as_u64())?;
    // Only an answer that says that nothing follows is known to be whole.
    let whole = members.iter().any(|(name, value)| {
        let name = name.to_lowercase();
        (name.contains("next") && value.is_null())
            || (name.contains("more") && *value == Value::Bool(false))
    });
    if !from_start || !only || !whole || total == items.len() as u64 {
        return None;
    }
    let tool = tool_of(execution, at);
    let message = format!(
        "`{tool}` lists {} items and says that these are all, but gives {total} as their number",
        items.len()
    );
    Some(Problem::new("total", message).tool(tool).step(at).warning())
}

/// The same list twice in a row, in another order.
fn turned(execution: &Execution, at: usize) -> Option<Problem> {
    let steps = &execution.case.steps;
    let before = at.checked_sub(1).filter(|before| is_ok(execution, *before))?;
    let equal = steps[at].action == steps[before].action && steps[at].group.is_none();
    let ids = |step: usize| -> Vec<Value> {
        objects(&execution.exchanges[step]).iter().flat_map(item_ids).collect()
    };
    let (first, second) = (ids(before), ids(at));
    let same = first.len() == second.len() && first.iter().all(|id| second.contains(id));
    let tool = tool_of(execution, at);
    let message = format!("`{tool}`, called twice in a row, lists the same items in another order");
    (equal && same && first != second)
        .then(|| Problem::new("order", message).tool(tool).step(at).warning())
}

/// Whether a parameter says where a page begins.
pub(super) fn is_position(name: &str) -> bool {
    let name = name.to_lowercase();
    ["offset", "cursor", "page", "skip", "after", "start"].iter().any(|word| name.contains(word))
        && !name.contains("size")
}

fn longest_list(document: &Value) -> usize {
    match document {
        Value::Array(items) => items.len().max(items.iter().map(longest_list).max().unwrap_or(0)),
        Value::Object(members) => members.values().map(longest_list).max().unwrap_or(0),
        _ => 0,
    }
}

/// Whether a page says that there are more.
pub(super) fn says_more(document: &Value) -> bool {
    let Some(members) = document.as_object() else {
        return false;
    };
    members.iter().any(|(key, value)| {
        let key = key.to_ascii_lowercase();
        (key.contains("more") && value == &Value::Bool(true))
            || (key.contains("cursor") && value.is_string())
    })
}

/// An answer with tasks of these ids.
#[cfg(test)]
fn listed(ids: &[&str]) -> Value {
    use super::observed::structured;
    use serde_json::json;
    structured(json!({"tasks": ids.iter().map(|id| json!({"id": id})).collect::<Vec<_>>()}))
}

/// Two lists in a row.
#[cfg(test)]
fn twice(second: &[&str]) -> Scene {
    use super::observed::execution;
    use serde_json::json;
    let call = crate::case::Role::Call;
    Scene::new().ran(execution(vec![
        ("list_tasks", call.clone(), json!({}), listed(&["tsk_1", "tsk_2"])),
        ("list_tasks", call, json!({}), listed(second)),
    ]))
}

/// A task that was deleted, and another one whose title is its id.
#[cfg(test)]
fn mentioned() -> Scene {
    use super::observed::{execution, roles, structured};
    use serde_json::json;
    let (look, subject) = roles(check::AFTER_DELETE);
    let other = structured(json!({"tasks": [{"id": "tsk_2", "title": "tsk_1"}]}));
    Scene::new().ran(execution(vec![
        ("search_tasks", look.clone(), json!({"query": "tsk_1"}), other.clone()),
        ("delete_task", subject, json!({"id": "tsk_1"}), structured(json!({"ok": true}))),
        ("search_tasks", look, json!({"query": "tsk_1"}), other),
    ]))
}

/// A list of one task that tells their number.
#[cfg(test)]
fn totalled(total: u32) -> Scene {
    use super::observed::{execution, structured};
    use serde_json::json;
    let page = json!({"items": [{"id": "tsk_1"}], "total": total, "next_cursor": null});
    Scene::new().ran(execution(vec![(
        "list_tasks",
        crate::case::Role::Call,
        json!({}),
        structured(page),
    )]))
}

/// Examples of what is gone and listed, and of what went along.
#[cfg(test)]
fn gone(examples: Examples) -> Examples {
    use super::ghosts::scenes as ghosts;
    use serde_json::json;
    examples
        .flags("answered that it removed", ghosts::left(&["box-1"]))
        .passes(ghosts::left(&["box-2"]))
        .flags("while `get_box` says", ghosts::deleted("running", &json!(false)))
        .passes(ghosts::deleted("state", &json!("deleted")))
        .flags("no longer lists \"box-10\" either", ghosts::namesakes("box-10", &[]))
        .passes(ghosts::namesakes("box-10", &["box-10"]))
        .passes(ghosts::namesakes("box-1/0", &[]))
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use super::lists::scenes::{among_many, filtered, in_words, latest, made, searched};
    use super::observed::{execution, roles, structured};
    use serde_json::json;
    let deletion = |after: &[&str]| {
        let (look, subject) = roles(check::AFTER_DELETE);
        Scene::new().ran(execution(vec![
            ("list_tasks", look.clone(), json!({}), listed(&["tsk_1", "tsk_2"])),
            ("delete_task", subject, json!({"id": "tsk_1"}), structured(json!({"ok": true}))),
            ("list_tasks", look, json!({}), listed(after)),
        ]))
    };
    let answering = |answer: Value, before: &[&str], after: &[&str]| {
        let (look, subject) = roles(check::CREATE);
        Scene::new().ran(execution(vec![
            ("list_tasks", look.clone(), json!({}), listed(before)),
            ("create_task", subject, json!({"title": "x"}), structured(answer)),
            ("list_tasks", look, json!({}), listed(after)),
        ]))
    };
    let creation = |after: &[&str]| answering(json!({"id": "tsk_1"}), &[], after);
    let unchanged = |answer: Value| answering(answer, &["tsk_1"], &["tsk_1"]);
    let overwriting = |after: &[&str]| answering(json!({"id": "tsk_2"}), &["tsk_1"], after);
    gone(Examples::of(&ENTRY))
        .passes(started())
        .passes(latest())
        .flags("still lists it", deletion(&["tsk_1", "tsk_2"]))
        .flags("lists the same as before", creation(&[]))
        .flags("the new item 7,", unchanged(json!({"task": {"id": 7}})))
        .flags("lists the same as before", unchanged(json!({"tasks": [{"id": "tsk_2"}]})))
        .passes(unchanged(json!({"ok": true})))
        .passes(unchanged(json!({"id": "tsk_1", "started": true})))
        .flags("no longer lists", overwriting(&["tsk_2"]))
        .flags("gives 3 as their number", totalled(3))
        .flags("in another order", twice(&["tsk_2", "tsk_1"]))
        .passes(twice(&["tsk_1", "tsk_2"]))
        .passes(overwriting(&["tsk_1", "tsk_2"]))
        .passes(totalled(1))
        .passes(deletion(&["tsk_2"]))
        .passes(mentioned())
        .flags("leaves out \"n-2\"", filtered(&[("n-1", "tip")]))
        .flags(
            "whose `type` is \"stuck\"",
            filtered(&[("n-1", "tip"), ("n-2", "tip"), ("n-3", "stuck")]),
        )
        .passes(filtered(&[("n-1", "tip"), ("n-2", "tip")]))
        .flags("does not list it", made(&[("n-1", "tip")], 1))
        .flags("does not list it", among_many(17))
        .passes(among_many(20))
        .flags("does not list it", in_words("there are no notes"))
        .passes(in_words("- n-1  a\n- n-7  b"))
        .flags("no longer lists \"n-1\"", made(&[("n-2", "tip")], 1))
        .flags("gives 3 as their number", made(&[("n-1", "tip"), ("n-2", "tip")], 3))
        .passes(made(&[("n-1", "tip"), ("n-2", "tip")], 2))
        .flags("does not find \"Plan B\"", searched(json!({"items": [], "total": 0})))
        .passes(searched(json!({"items": [{"id": "n-1", "type": "tip"}], "total": 1})))
        .passes(searched(json!({"notes": [{"note": "n-1"}]})))
        .passes(searched(json!({"result": "1. Plan B"})))
        .passes(creation(&["tsk_1"]))
}

#[cfg(test)]
fn started() -> Scene {
    // What the call itself was about is no new item.
    use super::observed::{execution, roles, structured};
    use serde_json::json;
    let (look, subject) = roles(check::CREATE);
    let (sent, told) = (json!({"task_ref": "tsk_9"}), json!({"id": "tsk_9"}));
    Scene::new().ran(execution(vec![
        ("list_tasks", look.clone(), json!({}), listed(&["tsk_1"])),
        ("start_task", subject, sent, structured(told)),
        ("list_tasks", look, json!({}), listed(&["tsk_1"])),
    ]))
}
