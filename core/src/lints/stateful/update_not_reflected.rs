//! `update_not_reflected`.

use super::observed::{around, holders, intent_of, is_ok, same_noun, telling_arguments, tool_of};
use crate::lints::meta::lint;
use crate::lints::{CaseContext, Lint, Problem};
use crate::schema::key_tokens;
use crate::sequence::intent::Verb;
use crate::sequence::template::check;
use serde_json::{Map, Value};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};

lint! {
    /// A change was acknowledged, and what is read afterwards does not show it, or lost what was not sent.
    ///
    /// The model believes the answer and builds on a state that is not there.
    UpdateNotReflected(Case, Warning)
    spec: "", fix: "Store the change before acknowledging it, leave members that were not sent alone, and say in the answer where a value was not taken over."
}

impl Lint for UpdateNotReflected {
    fn case(&self, context: &CaseContext<'_>, problems: &mut Vec<Problem>) {
        let execution = context.execution;
        for check in [check::UPDATE, check::IDEMPOTENT] {
            for around in around(execution, check) {
                let (change, view) = (intent_of(context, around.subject), intent_of(context, around.after));
                let worked = [around.before, around.subject, around.after].into_iter().all(|step| is_ok(execution, step));
                if change.verb != Verb::Update || view.verb != Verb::Read || !same_noun(&change, &view) || !worked {
                    continue;
                }
                let step = &execution.case.steps[around.subject];
                let Some(sent) = step.action.arguments().and_then(Value::as_object) else {
                    continue;
                };
                let asked = telling_arguments(&execution.case.steps[around.after]);
                for id in telling_arguments(step).iter().filter(|id| asked.contains(id)) {
                    let (before, after) = (holders(&execution.exchanges[around.before], id), holders(&execution.exchanges[around.after], id));
                    if let ([Value::Object(before)], [Value::Object(after)]) = (before.as_slice(), after.as_slice()) {
                        let (tool, reader) = (tool_of(execution, around.subject), tool_of(execution, around.after));
                        let faults = compare(sent, before, after).into_iter();
                        problems.extend(faults.map(|(rule, text)| Problem::new(rule, format!("`{tool}` acknowledged the change, but `{reader}` {text}")).tool(tool).step(around.after)));
                    }
                }
            }
        }
    }
}

/// What the object should show and does not: rule and words.
fn compare(sent: &Map<String, Value>, before: &Map<String, Value>, after: &Map<String, Value>) -> Vec<(String, String)> {
    let mut faults = Vec::new();
    for (name, value) in sent {
        let unchanged = before.get(name).is_some_and(|old| old != value && after.get(name) == Some(old));
        // A number that reads the same or text that differs in case and blanks was taken over in its own way.
        let alike = before.get(name).is_some_and(|old| plain(old) == plain(value));
        if unchanged && !alike && !value.is_null() && !value.is_object() {
            faults.push((format!("{name} unchanged"), format!("still shows the old `{name}`")));
        }
    }
    for (name, old) in before {
        let gone = after.get(name).is_none_or(is_empty);
        if !sent.contains_key(name) && !is_empty(old) && gone && !is_bookkeeping(name) && !sent_under_another_name(sent, name) {
            faults.push((format!("{name} lost"), format!("no longer shows `{name}`, which was not sent")));
        }
    }
    faults
}

fn plain(value: &Value) -> String {
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(members) => members.is_empty(),
        _ => false,
    }
}

/// Members that a change may touch by itself.
fn is_bookkeeping(name: &str) -> bool {
    let words = key_tokens(name);
    ["version", "revision", "etag", "modified", "updated", "changed", "time", "at", "date", "status", "state", "progress", "count", "by", "completed", "due", "error"]
        .iter()
        .any(|word| words.iter().any(|w| w == word))
}

fn sent_under_another_name(sent: &Map<String, Value>, name: &str) -> bool {
    let words = key_tokens(name);
    sent.keys().any(|key| key_tokens(key).iter().any(|word| words.contains(word)))
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use super::observed::{execution, roles, structured};
    use serde_json::json;
    let (look, subject) = roles(check::UPDATE);
    let scene = |after: Value| {
        Scene::new().ran(execution(vec![
            ("get_task", look.clone(), json!({"id": "tsk_1"}), structured(json!({"id": "tsk_1", "title": "old", "note": "keep"}))),
            ("update_task", subject.clone(), json!({"id": "tsk_1", "title": "new"}), structured(json!({"ok": true}))),
            ("get_task", look.clone(), json!({"id": "tsk_1"}), structured(after)),
        ]))
    };
    Examples::of(&ENTRY)
        .flags("still shows the old `title`", scene(json!({"id": "tsk_1", "title": "old", "note": "keep"})))
        .flags("no longer shows `note`", scene(json!({"id": "tsk_1", "title": "new", "note": null})))
        .passes(scene(json!({"id": "tsk_1", "title": "new", "note": "keep"})))
}
