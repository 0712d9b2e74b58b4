//! What a refused call sent, read afterwards: it was stored all the same.

use super::lists::{Listing, TITLES, listing, only};
use super::observed::{is_look, is_ok, same_noun, tool_of};
use super::records::Story;
use crate::case::Label;
use crate::lints::{CaseContext, Problem};
use crate::schema::key_tokens;
use crate::sequence::intent::Verb;
use serde_json::{Map, Value};

/// Letters from which a name is unlikely to be that of something else.
const NAME: usize = 4;
/// Letters from which text is unlikely to be stored already by chance.
const TELLING: usize = 8;

/// A value that only the refused call `step` sent, and that the thing it named shows afterwards.
pub(super) fn stored_anyway(
    context: &CaseContext<'_>,
    story: &Story<'_>,
    step: usize,
) -> Option<Problem> {
    let execution = context.execution;
    let sent = execution.case.steps[step].action.arguments().and_then(Value::as_object)?;
    if execution.case.steps[step].label != Label::Valid || is_look(&story.intents[step]) {
        return None;
    }
    let refusal = execution.exchanges[step].text().to_lowercase();
    if ["partial", "some of", "rest of", "stopped at", "so far"].iter().any(|w| refusal.contains(w))
    {
        return None;
    }
    let ids = story.targets(step);
    let later = step + 1..execution.exchanges.len();
    let shows = |at: &usize| {
        is_ok(execution, *at)
            && is_look(&story.intents[*at])
            && same_noun(&story.intents[*at], &story.intents[step])
    };
    for at in later.filter(shows) {
        for id in &ids {
            let Some(after) = story.record(at, id) else { continue };
            let Some((before, shown)) = last_shown(story, step, id) else { continue };
            let is_new = |(name, value): &(&String, &Value)| {
                after.get(*name) == Some(*value)
                    && shown.get(*name).is_some_and(|old| old != *value)
                    && !ids.contains(value)
                    && !is_sent_by_another(story, (before, step, at), id, (name, value))
            };
            if let Some((name, _)) = sent.iter().find(is_new) {
                let (tool, reader) = (tool_of(execution, step), tool_of(execution, at));
                let message = format!(
                    "`{tool}` refused the call, but after it `{reader}` shows the `{name}` that it sent"
                );
                let problem = Problem::new(format!("{name} stored"), message).tool(tool).step(at);
                return Some(problem.involving([before, step]));
            }
        }
    }
    None
}

/// A thing with the name that the refused call `step` sent, which a list shows once more than calls that worked have made it.
pub(super) fn made_anyway(
    context: &CaseContext<'_>,
    story: &Story<'_>,
    step: usize,
) -> Option<Problem> {
    let execution = context.execution;
    let sent = execution.case.steps[step].action.arguments().and_then(Value::as_object)?;
    if story.intents[step].verb != Verb::Create || execution.case.steps[step].label != Label::Valid
    {
        return None;
    }
    let is_name = |(name, value): &(&String, &Value)| {
        TITLES.contains(&name.as_str()) && value.as_str().is_some_and(|text| text.len() >= NAME)
    };
    let (name, value) = sent.iter().find(is_name)?;
    let list = |at: usize| {
        listing(context, at).filter(|_| same_noun(&story.intents[at], &story.intents[step]))
    };
    let count =
        |list: &Listing<'_>| list.items.iter().filter(|item| item.get(name) == Some(value)).count();
    let made = |at: &usize| {
        let sent = execution.case.steps[*at].action.arguments().map(crate::mask::values);
        is_ok(execution, *at) && sent.is_some_and(|sent| sent.contains(value))
    };
    let after = (step + 1..execution.exchanges.len()).find_map(list)?;
    let alike = |before: &Listing<'_>| before.tool == after.tool && before.asked == after.asked;
    let before = (0..step).rev().filter_map(list).find(alike)?;
    let known = count(&before) + (before.at + 1..after.at).filter(made).count();
    if count(&after) <= known || !only(context, before.at, after.at, &[Verb::Create]) {
        return None;
    }
    let (tool, lister) = (tool_of(execution, step), after.tool);
    let message = format!(
        "`{tool}` refused the call, but after it `{lister}` lists one more whose `{name}` is {value}"
    );
    let problem = Problem::new(format!("{name} made"), message).tool(tool).step(after.at);
    Some(problem.involving([before.at, step]))
}

/// What an answer before `until` showed of a thing last.
fn last_shown<'s>(
    story: &'s Story<'_>,
    until: usize,
    id: &Value,
) -> Option<(usize, &'s Map<String, Value>)> {
    let shows = |at: &usize| same_noun(&story.intents[*at], &story.intents[until]);
    (0..until).rev().filter(shows).find_map(|at| Some((at, story.record(at, id)?)))
}

/// Whether another call than the refused one may have stored the value: one that worked and sent it, or, where the value could be
/// anyone's, one that worked and was no look.
fn is_sent_by_another(
    story: &Story<'_>,
    (before, refused, after): (usize, usize, usize),
    id: &Value,
    (name, value): (&str, &Value),
) -> bool {
    let execution = story.execution;
    let words = key_tokens(name);
    let counted = ["version", "count", "status", "state"];
    let telling = value.as_str().is_some_and(|text| text.chars().count() >= TELLING)
        && !words.iter().any(|word| counted.contains(&word.as_str()));
    (before + 1..after).filter(|at| *at != refused && !is_look(&story.intents[*at])).any(|at| {
        let step = &execution.case.steps[at];
        // What is about another such thing leaves this one alone.
        let own = story.targets(at);
        let about_another = story.intents[at].verb == Verb::Update
            && same_noun(&story.intents[at], &story.intents[refused])
            && !own.is_empty()
            && !own.contains(id);
        if about_another {
            return false;
        }
        let sends =
            step.action.arguments().is_some_and(|sent| crate::mask::values(sent).contains(value));
        // Of two refused calls that sent it either may be to blame; the first is.
        let by_refused = at < refused && sends;
        by_refused || (is_ok(execution, at) && (sends || !telling))
    })
}

/// A project whose description another value replaced, sent by a call that was `refused` or not.
#[cfg(test)]
pub(super) fn scene(refused: bool, shown: &str) -> crate::lints::scene::Scene {
    use super::observed::{execution, structured};
    use crate::case::Role;
    use serde_json::json;
    let project = |text: &str| structured(json!({"id": "prj_1", "description": text}));
    let error =
        json!({"isError": true, "content": [{"type": "text", "text": "prj_1 has version 2"}]});
    crate::lints::scene::Scene::new().ran(execution(vec![
        ("get_project", Role::Call, json!({"id": "prj_1"}), project("")),
        (
            "update_project",
            Role::Call,
            json!({"id": "prj_1", "description": "quite another text"}),
            if refused { error } else { project("quite another text") },
        ),
        ("get_project", Role::Call, json!({"id": "prj_1"}), project(shown)),
    ]))
}

/// A project that was made, one of the same name that was refused, and what is listed then.
#[cfg(test)]
pub(super) fn named(listed: &[&str]) -> crate::lints::scene::Scene {
    use super::observed::{execution, structured};
    use crate::case::Role;
    use serde_json::json;
    let list = |ids: &[&str]| {
        let items = ids.iter().map(|id| json!({"id": id, "name": "alpha"}));
        structured(json!({"items": items.collect::<Vec<Value>>()}))
    };
    let error = json!({"isError": true, "content": [{"type": "text", "text": "alpha is taken"}]});
    let made = structured(json!({"id": "prj_1", "name": "alpha"}));
    crate::lints::scene::Scene::new().ran(execution(vec![
        ("list_projects", Role::Call, json!({}), list(&[])),
        ("create_project", Role::Call, json!({"name": "alpha"}), made),
        ("create_project", Role::Call, json!({"name": "alpha"}), error),
        ("list_projects", Role::Call, json!({}), list(listed)),
    ]))
}
