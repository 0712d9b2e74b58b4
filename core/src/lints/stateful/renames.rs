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
    let step = &execution.case.steps[change];
    let sent = step.action.arguments().and_then(Value::as_object)?;
    let tool = tool_of(execution, change);
    if step.label != Label::Valid || !renames(tool, sent) {
        return None;
    }
    let is_new = |name: &str| key_tokens(name).first().is_some_and(|word| word == "new");
    let text = |value: &Value| value.as_str().is_some_and(|text| !text.is_empty());
    let (_, new) = sent.iter().find(|(name, value)| is_new(name) && text(value))?;
    let olds = || sent.iter().filter(|(name, value)| !is_new(name) && text(value));
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
        let both = |old: &Value| old != new && documents.iter().any(|d| has_both(d, old, new));
        let (_, old) = olds().find(|(_, old)| both(old))?;
        let lister = tool_of(execution, at);
        let message = format!(
            "`{tool}` acknowledged the new name {new}, but `{lister}` lists both it and the old one, {old}"
        );
        let problem = Problem::new("renamed and kept", message).tool(tool).step(at).warning();
        Some(problem.involving([change]))
    })
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
}
