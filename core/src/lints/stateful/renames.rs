//! Renames: what got a new name must not answer to the old one as well.

use super::observed::{intent_of, is_look, is_ok, objects, tool_of};
use crate::case::Label;
use crate::lints::{CaseContext, Problem};
use crate::schema::key_tokens;
use crate::sequence::intent::Verb;
use serde_json::{Map, Value};

/// A thing that was renamed, and that a list shows under both names.
pub(super) fn listed_twice(context: &CaseContext<'_>, change: usize) -> Option<Problem> {
    let execution = context.execution;
    let (new, olds) = names(context, change)?;
    let tool = tool_of(execution, change);
    // What makes or changes things may give the old name to another one.
    let quiet = |at: &usize| {
        is_look(&intent_of(context, *at))
            || !is_ok(execution, *at)
            || execution.case.steps[*at].action.tool().is_none()
    };
    (change + 1..execution.exchanges.len()).take_while(quiet).find_map(|at| {
        let documents = objects(&execution.exchanges[at]);
        if !is_ok(execution, at) || intent_of(context, at).verb != Verb::List {
            return None;
        }
        let both = |old: &&&Value| documents.iter().any(|document| has_both(document, old, new));
        let old = olds.iter().find(both)?;
        let lister = tool_of(execution, at);
        let message = format!(
            "`{tool}` acknowledged the new name {new}, but `{lister}` lists both it and the old one, {old}"
        );
        let problem = Problem::new("renamed and kept", message).tool(tool).step(at).warning();
        Some(problem.involving([change]))
    })
}

/// A thing that was renamed: what a read shows of it under its old name is gone where it is read under the new one.
pub(super) fn emptied(context: &CaseContext<'_>, change: usize) -> Option<Problem> {
    let execution = context.execution;
    let steps = &execution.case.steps;
    let (new, olds) = names(context, change)?;
    let tool = tool_of(execution, change);
    let reads = |at: usize| is_look(&intent_of(context, at)) || steps[at].action.tool().is_none();
    let quiet = |at: &usize| reads(*at) || !is_ok(execution, *at);
    let looks = |at: &usize| reads(*at) && is_ok(execution, *at) && steps[*at].group.is_none();
    let renamed = |at: usize, old: &Value| {
        let mut arguments = steps[at].action.arguments()?.as_object()?.clone();
        let named = arguments.values_mut().find(|value| *value == old)?;
        *named = new.clone();
        Some(arguments)
    };
    let after = (change + 1..execution.exchanges.len()).take_while(quiet).filter(looks);
    let pair = |after: usize| {
        let asked = steps[after].action.arguments()?.as_object()?;
        let before = (0..change).rev().take_while(quiet).filter(looks).find(|before| {
            tool_of(execution, *before) == tool_of(execution, after)
                && olds.iter().any(|old| renamed(*before, old).as_ref() == Some(asked))
        })?;
        let told = |at: usize| contents(&objects(&execution.exchanges[at]), &olds, new);
        let (was, is) = (told(before)?, told(after)?);
        (was > 0 && is == 0).then_some((before, after))
    };
    let (before, after) = after.into_iter().find_map(pair)?;
    let reader = tool_of(execution, after);
    let message = format!(
        "`{tool}` acknowledged the new name {new}, but `{reader}`, asked by it, shows nothing of what it showed before"
    );
    let problem = Problem::new("renamed and emptied", message).tool(tool).step(after).warning();
    Some(problem.involving([before, change]))
}

/// The new name that a call gives a thing, and the other texts that it was sent, among them the old one.
fn names<'a>(context: &CaseContext<'a>, change: usize) -> Option<(&'a Value, Vec<&'a Value>)> {
    let step = &context.execution.case.steps[change];
    let sent = step.action.arguments().and_then(Value::as_object)?;
    if step.label != Label::Valid || !renames(tool_of(context.execution, change), sent) {
        return None;
    }
    let is_new = |name: &str| key_tokens(name).first().is_some_and(|word| word == "new");
    let is_text = |value: &Value| value.as_str().is_some_and(|text| !text.is_empty());
    let (_, new) = sent.iter().find(|(name, value)| is_new(name) && is_text(value))?;
    let others = sent.iter().filter(|(name, value)| !is_new(name) && is_text(value));
    Some((new, others.map(|(_, value)| value).filter(|old| *old != new).collect()))
}

/// How many texts the lists of an answer hold, without the names of the thing; none where it has no lists.
fn contents(documents: &[Value], olds: &[&Value], new: &Value) -> Option<usize> {
    let [Value::Object(members)] = documents else {
        return None;
    };
    let lists: Vec<&Value> = members.values().filter(|member| member.is_array()).collect();
    let texts = lists.iter().flat_map(|list| crate::mask::values(list));
    let told = texts.filter(|value| {
        value.as_str().is_some_and(|text| !text.trim().is_empty())
            && value != new
            && !olds.contains(&value)
    });
    (!lists.is_empty()).then(|| told.count())
}

/// Whether a call gives a thing another name: its tool, or one of the words that it was sent, says so.
fn renames(tool: &str, sent: &Map<String, Value>) -> bool {
    let says = |text: &str| key_tokens(text).iter().any(|word| word == "rename");
    says(tool) || sent.values().filter_map(Value::as_str).any(says)
}

/// Whether two items of one list have these values under the same name.
fn has_both(document: &Value, old: &Value, new: &Value) -> bool {
    match document {
        Value::Array(items) => {
            let names = items.iter().filter_map(Value::as_object).flat_map(Map::keys);
            let has = |name: &String, value: &Value| {
                items.iter().any(|item| item.get(name.as_str()) == Some(value))
            };
            names.into_iter().any(|name| has(name, old) && has(name, new))
                || items.iter().any(|item| has_both(item, old, new))
        }
        Value::Object(members) => members.values().any(|member| has_both(member, old, new)),
        _ => false,
    }
}

#[cfg(test)]
pub(super) mod scenes {
    use super::super::observed::{execution, structured};
    use crate::case::Role;
    use crate::lints::scene::Scene;
    use serde_json::{Value, json};

    /// A session that was renamed, and what is listed then.
    pub(in super::super) fn renamed(listed: &[&str]) -> Scene {
        let items: Vec<Value> = listed.iter().map(|name| json!({"name": name})).collect();
        let sent = json!({"session": "s1", "action": "rename", "new_name": "main-2"});
        Scene::new().ran(execution(vec![
            ("update_session", Role::Call, sent, structured(json!({"session": "main-2"}))),
            ("list_sessions", Role::Call, json!({}), structured(json!({"sessions": items}))),
        ]))
    }

    /// A session that was read, renamed, and read by its new name.
    pub(in super::super) fn read_again(lines: &[&str]) -> Scene {
        let sent = json!({"session": "s1", "action": "rename", "new_name": "main-2"});
        let lines = structured(json!({"session": "main-2", "lines": lines}));
        let before = structured(json!({"session": "s1", "lines": ["kept"]}));
        Scene::new().ran(execution(vec![
            ("get_session", Role::Call, json!({"session": "s1"}), before),
            ("update_session", Role::Call, sent, structured(json!({"session": "main-2"}))),
            ("get_session", Role::Call, json!({"session": "main-2"}), lines),
        ]))
    }
}
