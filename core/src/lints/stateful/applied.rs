//! What a refused call sent, read afterwards: it was stored all the same.

use super::observed::{is_look, is_ok, same_noun, tool_of};
use super::records::Story;
use crate::case::Label;
use crate::lints::{CaseContext, Problem};
use crate::schema::key_tokens;
use serde_json::{Map, Value};

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
                    && !is_sent_by_another(story, (before, step, at), name, value)
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
    name: &str,
    value: &Value,
) -> bool {
    let execution = story.execution;
    let words = key_tokens(name);
    let counted = ["version", "count", "status", "state"];
    let telling = value.as_str().is_some_and(|text| text.chars().count() >= TELLING)
        && !words.iter().any(|word| counted.contains(&word.as_str()));
    (before + 1..after).filter(|at| *at != refused && !is_look(&story.intents[*at])).any(|at| {
        let step = &execution.case.steps[at];
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
