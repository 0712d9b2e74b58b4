//! `update_not_reflected`.

use super::observed::{intent_of, is_look, is_ok, same_noun, tool_of};
use super::records::{Known, Story};
use super::texts::{Damage, damaged};
use crate::case::Label;
use crate::catalog::Tool;
use crate::lints::meta::lint;
use crate::lints::{CaseContext, Lint, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use crate::schema::key_tokens;
use crate::sequence::intent::Verb;
use crate::sequence::template::defaults;
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
        let story = Story::of(context);
        let execution = context.execution;
        for at in (0..execution.exchanges.len()).filter(|at| is_ok(execution, *at)) {
            let intent = &story.intents[at];
            if is_look(intent) {
                problems.extend(created_otherwise(&story, at));
                continue;
            }
            problems.extend(super::echoes::taken_once(context, at));
            if intent.verb == Verb::Create {
                problems.extend(shown_otherwise(&story, at));
            } else if intent.verb == Verb::Update
                && !intent.revives
                && execution.case.steps[at].label == Label::Valid
                && !says_otherwise(&execution.exchanges[at].text())
            {
                changed_otherwise(context, &story, at, problems);
                problems.extend(super::renames::listed_twice(context, at));
                problems.extend(super::renames::emptied(context, at));
            }
        }
    }
}

/// A change that what was read right after it, or the answer itself, does not show.
fn changed_otherwise(
    context: &CaseContext<'_>,
    story: &Story<'_>,
    change: usize,
    problems: &mut Vec<Problem>,
) {
    let execution = story.execution;
    let Some(sent) = execution.case.steps[change].action.arguments().and_then(Value::as_object)
    else {
        return;
    };
    let mut told: Vec<String> = Vec::new();
    for id in story.targets(change) {
        let before = story.known(change, &id);
        let quiet =
            |at: &usize| !is_ok(execution, *at) || *at == change || is_look(&story.intents[*at]);
        for at in (change..execution.exchanges.len()).take_while(quiet) {
            let shows = same_noun(&story.intents[at], &story.intents[change]);
            let after = shows.then(|| story.record(at, &id)).flatten();
            let here = |after: &&Map<_, _>| !story.is_elsewhere((at, change), &id, after);
            let Some(after) = after.filter(here) else { continue };
            let (tool, reader) = (tool_of(execution, change), tool_of(execution, at));
            let shown = if at == change { "its own answer" } else { &format!("`{reader}`") };
            // The same tool may show less where it is asked for less.
            let steps = &execution.case.steps;
            let same_view = |known: &Known| {
                let same_tool = tool_of(execution, known.step) == reader;
                same_tool && (at == change || steps[known.step].action == steps[at].action)
            };
            let same_view = before.as_ref().is_some_and(same_view);
            for (rule, text) in compare(sent, before.as_ref(), (after, same_view)) {
                if !told.contains(&rule) {
                    told.push(rule.clone());
                    let message = format!("`{tool}` acknowledged the change, but {shown} {text}");
                    let steps = before.iter().map(|known| known.step).chain([change]);
                    problems.push(Problem::new(rule, message).tool(tool).step(at).involving(steps));
                }
            }
            if let Some(known) = before.as_ref().filter(|_| same_view)
                && let Some((name, value)) = reset(context, (sent, change), known, after)
                && !told.contains(&format!("{name} reset"))
            {
                told.push(format!("{name} reset"));
                let message = format!(
                    "`{tool}` acknowledged the change, but {shown} then gives `{name}`, which was not sent, its default {value} again"
                );
                let steps = [known.step, change];
                let problem = Problem::new(format!("{name} reset"), message).tool(tool);
                problems.push(problem.step(at).involving(steps));
            }
        }
    }
}

/// A member that was not sent and has its documented default again, though it had another value before.
fn reset<'a>(
    context: &CaseContext<'_>,
    (sent, change): (&Map<String, Value>, usize),
    before: &Known,
    after: &'a Map<String, Value>,
) -> Option<(&'a String, &'a Value)> {
    let own = intent_of(context, change);
    // The tool takes over what it is sent, and says nothing of the rest.
    let takes =
        sent.iter().any(|(name, value)| after.get(name) == Some(value) && !is_bookkeeping(name))
            && sent.len() > 1;
    let alike = |tool: &&Tool| same_noun(&tool.intent, &own);
    let is_default = |name: &String, value: &Value| {
        let tools = context.catalog.tools.iter().filter(alike);
        let mut defaults = tools.flat_map(defaults);
        defaults.any(|(other, default)| other == name && default == value)
    };
    after.iter().filter(|_| takes).find(|(name, value)| {
        let changed = before.members.get(*name).is_some_and(|old| old != *value);
        changed && !sent.contains_key(*name) && is_default(name, value)
    })
}

/// Words of an answer that says that not all was done as asked.
const RESERVES: &[&str] = &[
    "cannot",
    "could not",
    "unable",
    "invalid",
    "not allowed",
    "no change",
    "unchanged",
    "ignored",
    "failed",
    "already",
    "nothing to",
    "error",
    "not found",
    "truncated",
    "shortened",
    "skipped",
];

/// Whether the prose of an answer says that not all was done as asked.
fn says_otherwise(text: &str) -> bool {
    let text = text.trim_start();
    let prose = !text.starts_with(['{', '[']);
    let text = text.to_lowercase();
    prose && RESERVES.iter().any(|words| text.contains(words))
}

/// A thing that is read with its text damaged after it was made.
fn created_otherwise(story: &Story<'_>, at: usize) -> Option<Problem> {
    let execution = story.execution;
    let made_it = |made: &usize| {
        let maker = &story.intents[*made];
        maker.verb == Verb::Create
            && same_noun(maker, &story.intents[at])
            && execution.case.steps[*made].label == Label::Valid
    };
    let changes =
        |between: usize| matches!(story.intents[between].verb, Verb::Update | Verb::Delete);
    let first = (0..at).rev().find(|between| changes(*between)).map_or(0, |change| change + 1);
    (first..at).filter(made_it).find_map(|made| {
        let sent = execution.case.steps[made].action.arguments()?.as_object()?;
        let shown = story.record_of_made(made, at)?;
        let (rule, text) = told(damaged(sent, shown)).into_iter().next()?;
        let (tool, reader) = (tool_of(execution, made), tool_of(execution, at));
        let message = format!("`{tool}` acknowledged a new item, but `{reader}` {text}");
        Some(Problem::new(rule, message).tool(tool).step(at).involving([made]))
    })
}

/// A thing that the answer of the very call that made it shows with other characters. It may show less of a long text.
fn shown_otherwise(story: &Story<'_>, at: usize) -> Option<Problem> {
    let step = &story.execution.case.steps[at];
    let sent = step.action.arguments()?.as_object().filter(|_| step.label == Label::Valid)?;
    let shown = story.record_of_made(at, at)?;
    let replaced = damaged(sent, shown).into_iter().filter(Damage::is_of_characters).collect();
    let (rule, text) = told(replaced).into_iter().next()?;
    let tool = tool_of(story.execution, at);
    let message = format!("`{tool}` acknowledged a new item, but its own answer {text}");
    Some(Problem::new(rule, message).tool(tool).step(at))
}

fn told(damages: Vec<Damage>) -> Vec<(String, String)> {
    damages.into_iter().map(Damage::told).collect()
}

/// What the object should show and does not: rule and words.
fn compare(
    sent: &Map<String, Value>,
    known: Option<&Known>,
    (after, same_view): (&Map<String, Value>, bool),
) -> Vec<(String, String)> {
    let mut faults = told(damaged(sent, after));
    let Some(known) = known else {
        return faults;
    };
    let before = &known.members;
    for (name, value) in sent {
        let unchanged =
            before.get(name).is_some_and(|old| old != value && after.get(name) == Some(old));
        // A number that reads the same or text that differs in case and blanks was taken over in its own way.
        let alike =
            before.get(name).is_some_and(|old| plain(old) == plain(value) || holds_it(old, value));
        // Nothing in the place of a text often means that it is to be left alone.
        let nothing = value.is_null() || value.as_str() == Some("");
        if unchanged && !alike && !nothing && !value.is_object() {
            faults.push((format!("{name} unchanged"), format!("still shows the old `{name}`")));
        } else if !alike && !known.sent_only && lacks(value, before.get(name), after.get(name)) {
            faults.push((format!("{name} lacks"), format!("does not show {value} in `{name}`")));
        }
    }
    // What was only sent may be kept under another name, or not be shown at all.
    let alike =
        |(name, value): (&String, &Value)| !is_empty(value) && after.get(name) == Some(value);
    if known.sent_only && !before.iter().any(alike) {
        return faults;
    }
    for (name, old) in before {
        let gone = match after.get(name) {
            // Other tools may show less.
            None => same_view,
            Some(new) => is_empty(new),
        };
        // A switch says how to do it; it need not be kept.
        let taken = known.sent_only && (is_secret(name) || old.is_boolean());
        let meant = taken || is_bookkeeping(name) || sent_under_another_name(sent, name);
        if gone && !meant && !sent.contains_key(name) && !is_empty(old) {
            faults.push((
                format!("{name} lost"),
                format!("no longer shows `{name}`, which was not sent"),
            ));
        }
    }
    faults
}

/// Whether a value was to be added to a list, which does not hold it.
fn lacks(value: &Value, before: Option<&Value>, after: Option<&Value>) -> bool {
    let (Some(Value::Array(_)), Some(list @ Value::Array(items))) = (before, after) else {
        return false;
    };
    // Words may be shortened or joined on the way; an id is not.
    let id =
        value.as_str().is_some_and(|text| text.len() > 1 && !text.contains(char::is_whitespace));
    id && items.iter().all(Value::is_string) && !holds_it(list, value)
}

/// Whether a list, or an object, has a value: adding it once more changes nothing. Text for a list may name several, with commas.
fn holds_it(whole: &Value, value: &Value) -> bool {
    match (whole, value.as_str()) {
        (Value::Array(items), Some(text)) if text.contains([',', ';', '[']) => {
            let parts = text.split([',', ';', '[', ']', '"']).map(str::trim);
            let has = |part: &str| items.iter().any(|item| plain(item) == part.to_lowercase());
            // Where the commas are and what goes with them is the server's business.
            parts.filter(|part| !part.is_empty()).all(has) || is_split_of(items, text)
        }
        _ => has_value(whole, value),
    }
}

/// Whether a list is made of parts of a text.
fn is_split_of(items: &[Value], text: &str) -> bool {
    let part = |item: &Value| item.as_str().is_some_and(|item| text.contains(item.trim()));
    !items.is_empty() && items.iter().all(part)
}

fn has_value(whole: &Value, value: &Value) -> bool {
    match whole {
        Value::Array(items) => {
            items.iter().any(|item| plain(item) == plain(value) || has_value(item, value))
        }
        Value::Object(members) => {
            members.values().any(|item| item == value || has_value(item, value))
        }
        _ => false,
    }
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

/// Members that are taken and not given back.
fn is_secret(name: &str) -> bool {
    let words = key_tokens(name);
    ["password", "secret", "token", "pin", "key"].iter().any(|word| words.iter().any(|w| w == word))
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

/// A task of some priority and status, once it was given another priority.
#[cfg(test)]
fn moved(status: &str) -> Scene {
    use super::observed::{execution, structured};
    use crate::case::Role;
    use serde_json::json;
    let task = |priority: u32, status: &str| {
        structured(json!({"tasks": [{"id": "tsk_1", "priority": priority, "status": status}]}))
    };
    let adds = json!({"name": "add_task", "inputSchema": {"type": "object", "properties": {"status": {"type": "string", "default": "open"}}}});
    Scene::new().tool(adds).ran(execution(vec![
        ("list_tasks", Role::Call, json!({}), task(2, "busy")),
        (
            "update_task",
            Role::Call,
            json!({"id": "tsk_1", "priority": 1}),
            structured(json!({"ok": true})),
        ),
        ("list_tasks", Role::Call, json!({}), task(1, status)),
    ]))
}

/// A task that was made with a note and answered with another one when its title changed.
#[cfg(test)]
fn answered(note: &str) -> Scene {
    use super::observed::{execution, structured};
    use crate::case::Role;
    use serde_json::json;
    let said = json!({"content": [{"type": "text", "text": "Created task tsk_1."}]});
    let shown = structured(json!({"id": "tsk_1", "title": "two", "kind": "a", "note": note}));
    Scene::new().ran(execution(vec![
        ("create_task", Role::Call, json!({"title": "one", "kind": "a", "note": "keep"}), said),
        ("update_task", Role::Call, json!({"task_id": "tsk_1", "title": "two"}), shown),
    ]))
}

/// A task that was read, got a comment, and is answered with that note when its title changes. In between somebody asks which tools
/// there are.
#[cfg(test)]
fn commented(note: &str) -> Scene {
    use super::observed::{execution, structured};
    use crate::case::{Action, Role};
    use serde_json::json;
    let task =
        |title: &str, note: &str| structured(json!({"id": "tsk_1", "title": title, "note": note}));
    let comment = structured(json!({"id": "cmt_1", "task_id": "tsk_1", "body": "good"}));
    let mut ran = execution(vec![
        ("get_task", Role::Call, json!({"task_id": "tsk_1"}), task("one", "keep")),
        ("add_comment", Role::Call, json!({"task_id": "tsk_1", "body": "good"}), comment),
        ("list_tasks", Role::Call, json!({}), structured(json!({}))),
        ("update_task", Role::Call, json!({"task_id": "tsk_1", "title": "two"}), task("two", note)),
    ]);
    ran.case.steps[2].action =
        Action::Request { method: "tools/list".to_owned(), params: json!({}) };
    Scene::new().ran(ran)
}

/// A task that needs others, before and after one more was added.
#[cfg(test)]
fn linked(before: &[&str], after: &[&str]) -> Scene {
    linking("tsk_2", before, after)
}

/// The same with what is sent.
#[cfg(test)]
fn linking(sent: &str, before: &[&str], after: &[&str]) -> Scene {
    use super::observed::{execution, structured};
    use crate::case::Role;
    use serde_json::json;
    let task = |needs: &[&str]| structured(json!({"id": "tsk_1", "needs": needs}));
    let adds = json!({"id": "tsk_1", "needs": sent});
    Scene::new().ran(execution(vec![
        ("get_task", Role::Call, json!({"id": "tsk_1"}), task(before)),
        ("update_task", Role::Call, adds, structured(json!({"ok": true}))),
        ("get_task", Role::Call, json!({"id": "tsk_1"}), task(after)),
    ]))
}

/// A box that was made with a text, and what the answer shows of it.
#[cfg(test)]
fn drawn(shown: &str) -> Scene {
    use super::observed::{execution, structured};
    use crate::case::Role;
    use serde_json::json;
    let part = |text: &str| json!([{"text": text}]);
    let drawn = json!({"id": "box-1", "boxes": [{"id": "box-1", "parts": part(shown)}]});
    let sent = json!({"parts": part("gr\u{fc}n")});
    Scene::new().ran(execution(vec![("create_box", Role::Call, sent, structured(drawn))]))
}

/// A box that was made with parts and moved, and what the answer shows of its parts.
#[cfg(test)]
fn redrawn(parts: Value) -> Scene {
    use super::observed::{execution, structured};
    use crate::case::Role;
    use serde_json::json;
    let drawn = |x: u32, parts: Value| {
        structured(json!({"id": "box-1", "boxes": [{"id": "box-1", "x": x, "parts": parts}]}))
    };
    let (sent, kept) = (json!({"parts": [{"text": "kept"}]}), json!([{"text": "kept"}]));
    Scene::new().ran(execution(vec![
        ("create_box", Role::Call, sent, drawn(0, kept)),
        ("update_box", Role::Call, json!({"id": "box-1", "x": 3}), drawn(3, parts)),
    ]))
}

/// A sprint that is read and changed, with a state that is sent as an empty text, and the state that the answer shows.
#[cfg(test)]
fn emptied(state: &str) -> Scene {
    use super::observed::{execution, structured};
    use crate::case::Role;
    use serde_json::json;
    let shown = |end: Value| {
        let sprint =
            json!({"id": "SPRINT-1", "name": "one", "goal": null, "end": end, "state": state});
        structured(json!({"success": true, "message": "done", "data": sprint}))
    };
    let change = json!({"sprint_id": "SPRINT-1", "name": "one", "end": "2024-12-31", "state": ""});
    Scene::new().ran(execution(vec![
        ("create_sprint", Role::Call, json!({"name": "one"}), shown(Value::Null)),
        ("get_sprint", Role::Call, json!({"sprint_id": "SPRINT-1"}), shown(Value::Null)),
        ("update_sprint", Role::Call, change, shown(json!("2024-12-31T00:00:00"))),
        ("get_sprint", Role::Call, json!({"sprint_id": "SPRINT-1"}), shown(json!("2024-12-31"))),
    ]))
}

/// Quests of one name in two sessions, or in one.
#[cfg(test)]
fn in_sessions(one: &str, other: &str) -> Scene {
    use super::observed::{execution, structured};
    use crate::case::Role;
    use serde_json::json;
    let quest = |title: &str, aims: Value| {
        structured(json!({"quest": {"id": "q-1", "title": title, "aims": aims}}))
    };
    Scene::new().ran(execution(vec![
        (
            "update_quest",
            Role::Call,
            json!({"session_id": one, "quest_id": "q-1", "title": "a", "aims": ["b"]}),
            quest("a", json!(["b"])),
        ),
        (
            "update_quest",
            Role::Call,
            json!({"session_id": other, "quest_id": "q-1", "title": "c"}),
            quest("c", json!([])),
        ),
    ]))
}

/// A task that was read whole, changed, and then asked for less.
#[cfg(test)]
fn asked_for_less() -> Scene {
    use super::observed::{execution, structured};
    use crate::case::Role;
    use serde_json::json;
    let whole = json!({"id": "tsk_1", "progress": 50, "note": "keep"});
    Scene::new().ran(execution(vec![
        ("get_task", Role::Call, json!({"id": "tsk_1"}), structured(whole)),
        (
            "update_task",
            Role::Call,
            json!({"id": "tsk_1", "progress": 0}),
            structured(json!({"success": true})),
        ),
        (
            "get_task",
            Role::Call,
            json!({"id": "tsk_1", "fields": "minimal"}),
            structured(json!({"id": "tsk_1", "progress": 0})),
        ),
    ]))
}

/// Examples of names, of parts and of modes.
#[cfg(test)]
fn more(examples: Examples) -> Examples {
    use serde_json::json;
    examples
        .passes(emptied("planning"))
        .passes(asked_for_less())
        .passes(in_sessions("ses_1", "ses_2"))
        .flags("its own answer no longer shows `aims`", in_sessions("ses_1", "ses_1"))
        .flags("its own answer no longer shows `note`", commented(""))
        .passes(commented("keep"))
        .flags("lists both it and the old one", super::renames::scenes::renamed(&["s1", "main-2"]))
        .passes(super::renames::scenes::renamed(&["s2", "main-2"]))
        .flags("shows nothing of what it showed", super::renames::scenes::read_again(&[""]))
        .passes(super::renames::scenes::read_again(&["kept"]))
        .flags("its own answer shows other characters", drawn("gr?n"))
        .passes(drawn("gr\u{fc}n"))
        .flags("no longer shows `parts`", redrawn(json!([])))
        .passes(redrawn(json!([{"text": "kept"}])))
        .flags("acknowledged `mode`: \"capture\"", super::echoes::scenes::twice("release"))
        .passes(super::echoes::scenes::twice("capture"))
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use super::observed::{execution, roles, structured};
    use crate::sequence::template::check;
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
        use crate::case::Role;
        Scene::new().ran(execution(vec![
            ("create_task", Role::Call, json!({"title": sent}), structured(json!({"id": "tsk_1"}))),
            (
                "list_tasks",
                Role::Call,
                json!({}),
                structured(json!({"items": [{"id": "tsk_1", "title": stored}]})),
            ),
        ]))
    };
    more(Examples::of(&ENTRY))
        .passes(cleared())
        .flags("its default \"open\" again", moved("open"))
        .passes(moved("busy"))
        .passes(moved("late"))
        .flags(
            "still shows the old `title`",
            scene(json!({"id": "tsk_1", "title": "old", "note": "keep"})),
        )
        .flags(
            "no longer shows `note`",
            scene(json!({"id": "tsk_1", "title": "new", "note": null})),
        )
        .flags("does not show \"tsk_2\" in `needs`", linked(&["tsk_3"], &[]))
        .flags("still shows the old `needs`", linked(&["tsk_3"], &["tsk_3"]))
        .passes(linked(&["tsk_2"], &["tsk_2"]))
        .passes(linked(&[], &["tsk_2"]))
        .passes(linking("a, b", &["a", "b"], &["a", "b"]))
        .passes(linking("A,b", &["c"], &["a", "b"]))
        .passes(linking("+,-./[\\]", &["c"], &["+", "-./[\\]"]))
        .flags("still shows the old `needs`", linking("a,b", &["c"], &["c"]))
        .flags("its own answer no longer shows `note`", answered(""))
        .passes(answered("keep"))
        .flags("beyond ASCII in `title`", made("caf\u{e9} 1", "caf? 1"))
        .flags("first 30 characters", made(&"a".repeat(50), &"a".repeat(30)))
        .passes(made("caf\u{e9} 1", "caf\u{e9} 1"))
        .passes(scene(json!({"id": "tsk_1", "title": "new", "note": "keep"})))
}

#[cfg(test)]
fn cleared() -> Scene {
    use super::observed::{execution, roles, structured};
    use crate::sequence::template::check;
    use serde_json::json;
    let (look, subject) = roles(check::UPDATE);
    let id = json!({"id": "tsk_1"});
    let task = || structured(json!({"id": "tsk_1", "title": "old"}));
    Scene::new().ran(execution(vec![
        ("get_task", look.clone(), id.clone(), task()),
        ("update_task", subject.clone(), json!({"id": "tsk_1", "title": ""}), task()),
        ("get_task", look.clone(), id, task()),
    ]))
}
