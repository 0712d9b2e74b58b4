//! `update_not_reflected`.

use super::observed::{around, holders, intent_of, is_ok, same_noun, telling_arguments, tool_of};
use crate::lints::meta::lint;
use crate::lints::{CaseContext, Lint, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use crate::schema::key_tokens;
use crate::sequence::intent::Verb;
use crate::sequence::template::check;
use serde_json::{Map, Value};

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
        problems
            .extend((0..execution.exchanges.len()).filter_map(|at| created_otherwise(context, at)));
        for check in [check::UPDATE, check::IDEMPOTENT] {
            for around in around(execution, check) {
                let (change, view) =
                    (intent_of(context, around.subject), intent_of(context, around.after));
                let worked = [around.before, around.subject, around.after]
                    .into_iter()
                    .all(|step| is_ok(execution, step));
                if change.verb != Verb::Update
                    || view.verb != Verb::Read
                    || !same_noun(&change, &view)
                    || !worked
                {
                    continue;
                }
                let step = &execution.case.steps[around.subject];
                let Some(sent) = step.action.arguments().and_then(Value::as_object) else {
                    continue;
                };
                let asked = telling_arguments(&execution.case.steps[around.after]);
                for id in telling_arguments(step).iter().filter(|id| asked.contains(id)) {
                    let (before, after) = (
                        holders(&execution.exchanges[around.before], id),
                        holders(&execution.exchanges[around.after], id),
                    );
                    if let ([Value::Object(before)], [Value::Object(after)]) =
                        (before.as_slice(), after.as_slice())
                    {
                        let (tool, reader) =
                            (tool_of(execution, around.subject), tool_of(execution, around.after));
                        let faults = compare(sent, before, after).into_iter();
                        problems.extend(faults.map(|(rule, text)| {
                            Problem::new(
                                rule,
                                format!("`{tool}` acknowledged the change, but `{reader}` {text}"),
                            )
                            .tool(tool)
                            .step(around.after)
                        }));
                    }
                }
            }
        }
    }
}

/// A thing that is read with its text damaged right after it was made.
fn created_otherwise(context: &CaseContext<'_>, at: usize) -> Option<Problem> {
    let execution = context.execution;
    let reader = intent_of(context, at);
    let step = &execution.case.steps[at];
    if reader.verb != Verb::Read || !is_ok(execution, at) {
        return None;
    }
    let made = step.bindings.iter().map(|binding| binding.step).max()?;
    let maker = intent_of(context, made);
    let untouched = (made + 1..at)
        .all(|between| !matches!(intent_of(context, between).verb, Verb::Update | Verb::Delete));
    if maker.verb != Verb::Create
        || !same_noun(&maker, &reader)
        || !is_ok(execution, made)
        || !untouched
    {
        return None;
    }
    let sent = execution.case.steps[made].action.arguments()?.as_object()?;
    let asked = telling_arguments(step);
    let shown = asked.iter().flat_map(|id| holders(&execution.exchanges[at], id)).next()?;
    let (rule, text) = damaged(sent, shown.as_object()?).into_iter().next()?;
    let (tool, reader) = (tool_of(execution, made), tool_of(execution, at));
    Some(
        Problem::new(rule, format!("`{tool}` acknowledged a new item, but `{reader}` {text}"))
            .tool(tool)
            .step(at),
    )
}

/// What the object should show and does not: rule and words.
fn compare(
    sent: &Map<String, Value>,
    before: &Map<String, Value>,
    after: &Map<String, Value>,
) -> Vec<(String, String)> {
    let mut faults = Vec::new();
    for (name, value) in sent {
        let unchanged =
            before.get(name).is_some_and(|old| old != value && after.get(name) == Some(old));
        // A number that reads the same or text that differs in case and blanks was taken over in its own way.
        let alike = before.get(name).is_some_and(|old| plain(old) == plain(value));
        if unchanged && !alike && !value.is_null() && !value.is_object() {
            faults.push((format!("{name} unchanged"), format!("still shows the old `{name}`")));
        }
    }
    faults.extend(damaged(sent, after));
    for (name, old) in before {
        let gone = after.get(name).is_none_or(is_empty);
        if !sent.contains_key(name)
            && !is_empty(old)
            && gone
            && !is_bookkeeping(name)
            && !sent_under_another_name(sent, name)
        {
            faults.push((
                format!("{name} lost"),
                format!("no longer shows `{name}`, which was not sent"),
            ));
        }
    }
    faults
}

/// Text that was cut, or lost its characters beyond ASCII.
fn damaged(sent: &Map<String, Value>, stored: &Map<String, Value>) -> Vec<(String, String)> {
    let mut faults = Vec::new();
    for (name, value) in sent {
        let (Some(sent), Some(stored)) = (value.as_str(), stored.get(name).and_then(Value::as_str))
        else {
            continue;
        };
        let (sent, stored) = (sent.trim(), stored.trim());
        let cut = sent.chars().count() >= 40
            && !stored.is_empty()
            && stored.len() < sent.len()
            && sent.starts_with(stored);
        let replaced = !sent.is_ascii() && stored != sent && same_but_replaced(sent, stored);
        if cut {
            faults.push((
                format!("{name} cut"),
                format!("shows only the first {} characters of `{name}`", stored.chars().count()),
            ));
        } else if replaced {
            faults.push((
                format!("{name} damaged"),
                format!("shows other characters for those beyond ASCII in `{name}`"),
            ));
        }
    }
    faults
}

/// Whether `stored` is `sent` with question marks or the like in place of the characters beyond ASCII, or its bytes read as Latin-1.
fn same_but_replaced(sent: &str, stored: &str) -> bool {
    let latin: String = sent.bytes().map(char::from).collect();
    let mut plain = sent.chars().filter(char::is_ascii);
    let marks = |c: &char| matches!(c, '?' | '\u{fffd}' | '\u{25a1}');
    let kept = stored.chars().filter(|c| !marks(c));
    stored == latin
        || (stored.chars().any(|c| marks(&c)) && kept.eq(plain.by_ref().filter(|c| *c != '?')))
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
    [
        "version",
        "revision",
        "etag",
        "modified",
        "updated",
        "changed",
        "time",
        "at",
        "date",
        "status",
        "state",
        "progress",
        "count",
        "by",
        "completed",
        "due",
        "error",
    ]
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
            (
                "get_task",
                look.clone(),
                json!({"id": "tsk_1"}),
                structured(json!({"id": "tsk_1", "title": "old", "note": "keep"})),
            ),
            (
                "update_task",
                subject.clone(),
                json!({"id": "tsk_1", "title": "new"}),
                structured(json!({"ok": true})),
            ),
            ("get_task", look.clone(), json!({"id": "tsk_1"}), structured(after)),
        ]))
    };
    let made = |sent: &str, stored: &str| {
        use crate::case::{Binding, Role, Source};
        let mut execution = execution(vec![
            ("create_task", Role::Call, json!({"title": sent}), structured(json!({"id": "tsk_1"}))),
            (
                "get_task",
                Role::Call,
                json!({"id": "tsk_1"}),
                structured(json!({"id": "tsk_1", "title": stored})),
            ),
        ]);
        let from = Source::Result { pointer: "/structuredContent/id".to_owned() };
        execution.case.steps[1].bindings.push(Binding { at: "/id".to_owned(), step: 0, from });
        Scene::new().ran(execution)
    };
    Examples::of(&ENTRY)
        .flags(
            "still shows the old `title`",
            scene(json!({"id": "tsk_1", "title": "old", "note": "keep"})),
        )
        .flags(
            "no longer shows `note`",
            scene(json!({"id": "tsk_1", "title": "new", "note": null})),
        )
        .flags("beyond ASCII in `title`", made("caf\u{e9} 1", "caf? 1"))
        .flags("first 30 characters", made(&"a".repeat(50), &"a".repeat(30)))
        .passes(made("caf\u{e9} 1", "caf\u{e9} 1"))
        .passes(scene(json!({"id": "tsk_1", "title": "new", "note": "keep"})))
}
