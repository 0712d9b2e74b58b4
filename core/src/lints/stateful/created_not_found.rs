//! `created_not_found`.

use super::observed::{intent_of, is_ok, same_noun, telling_arguments, tool_of};
use crate::case::{Binding, Label, Source, Step};
use crate::exchange::Exchange;
use crate::lints::meta::lint;
use crate::lints::{CaseContext, Execution, Lint, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use crate::pointer::Places;
use crate::sequence::feedback::{error_text, is_missing};
use crate::sequence::intent::Verb;
use crate::sequence::words::is_reference;
use serde_json::Value;

lint! {
    /// Something was created, and asking for it by the id that came back says that it is not there.
    ///
    /// The id is the only handle that the model has; with it dead, the work is lost or done again.
    CreatedNotFound(Case, Warning)
    spec: "", fix: "Store the item before acknowledging it, and return the id under which it can be read."
}

impl Lint for CreatedNotFound {
    fn case(&self, context: &CaseContext<'_>, problems: &mut Vec<Problem>) {
        let execution = context.execution;
        for (at, step) in execution.case.steps.iter().enumerate().take(execution.exchanges.len()) {
            problems.extend(still_gone(context, step, at));
            let reader = intent_of(context, at);
            if reader.verb != Verb::Read
                || step.label != Label::Valid
                || !says_not_found(step, &execution.exchanges[at])
            {
                continue;
            }
            if let Some(restored) = reviver(context, step, at) {
                let (tool, view) = (tool_of(execution, restored), tool_of(execution, at));
                let message = format!(
                    "`{tool}` acknowledged that it brought something back, but `{view}` does not find it"
                );
                problems.push(
                    Problem::new(format!("asked {view}"), message)
                        .tool(tool)
                        .step(at)
                        .involving([restored]),
                );
                continue;
            }
            let Some(made) = creator(context, step, at) else {
                continue;
            };
            let (tool, view) = (tool_of(execution, made), tool_of(execution, at));
            problems.push(
                Problem::new(format!("asked {view}"), format!("`{tool}` acknowledged a new item, but `{view}` does not find it by the id that came back"))
                    .tool(tool)
                    .step(at)
                    .involving([made]),
            );
        }
    }
}

/// The call that made what `step` asks for, if its id came from there and nothing has changed in between. What else is asked
/// with must have been sent to make it, too: a thing is not to be found under another parent.
fn creator(context: &CaseContext<'_>, step: &Step, at: usize) -> Option<usize> {
    let execution = context.execution;
    let origins = step.bindings.iter().map(|binding| origin(execution, binding));
    let binding = origins.max_by_key(|binding| binding.step)?;
    let made = binding.step;
    let maker = intent_of(context, made);
    let untouched = (made + 1..at).all(|between| {
        matches!(intent_of(context, between).verb, Verb::Read | Verb::List | Verb::Create)
    });
    let id = step.action.arguments().and_then(|arguments| arguments.place(&binding.at));
    let sent = execution.case.steps.get(made)?.action.arguments()?.as_object()?;
    let named = step.action.arguments()?.as_object()?.iter().filter(|(name, _)| is_reference(name));
    let under = named
        .map(|(_, value)| value)
        .all(|value| Some(value) == id || sent.values().any(|other| other == value));
    // What was sent deep inside names something else that the new thing is tied to.
    let all = execution.case.steps[made].action.arguments().map(crate::mask::values);
    let tied = id.is_some_and(|id| {
        all.is_some_and(|all| all.contains(id)) && !sent.values().any(|value| value == id)
    });
    let is_it = is_id(&binding.from)
        && under
        && !tied
        && maker.verb == Verb::Create
        && same_noun(&maker, &intent_of(context, at))
        && is_ok(execution, made);
    (is_it && untouched).then_some(made)
}

/// Where a value came from at first: a call that repeats another takes its arguments from there.
fn origin<'a>(execution: &'a Execution, binding: &'a Binding) -> Binding {
    let mut found = binding.clone();
    for _ in 0..execution.case.steps.len() {
        let Source::Argument { pointer } = &found.from else {
            break;
        };
        let step = execution.case.steps.get(found.step);
        let Some(earlier) = step.and_then(|s| s.bindings.iter().find(|b| b.at == *pointer)) else {
            break;
        };
        (found.step, found.from) = (earlier.step, earlier.from.clone());
    }
    found
}

/// Whether a place in an answer holds an id, by its name; a word in a sentence counts as one.
fn is_id(source: &Source) -> bool {
    match source {
        Source::Result { pointer } | Source::TextJson { pointer, .. } => {
            let leaf = pointer.rsplit('/').next().unwrap_or_default();
            crate::schema::key_tokens(leaf)
                .last()
                .is_some_and(|last| matches!(last.as_str(), "id" | "uuid" | "guid" | "key"))
        }
        Source::TextToken { .. } => true,
        Source::Argument { .. } => false,
    }
}

/// The call that brought back what `step` asks for, if nothing has changed since.
fn reviver(context: &CaseContext<'_>, step: &Step, at: usize) -> Option<usize> {
    let execution = context.execution;
    let asked = telling_arguments(step);
    let quiet = |at: &usize| matches!(intent_of(context, *at).verb, Verb::Read | Verb::List);
    let change = (0..at).rev().find(|at| !quiet(at))?;
    let named = telling_arguments(&execution.case.steps[change]);
    let same = matches!((asked.as_slice(), named.as_slice()), ([asked], [named]) if asked == named);
    // Only a deletion that was seen says that the thing was there, and which tool reads it.
    let was_read = (0..change).any(|earlier| {
        execution.case.steps[earlier].action == step.action && is_ok(execution, earlier)
    });
    (same && was_read && intent_of(context, change).revives && is_ok(execution, change))
        .then_some(change)
}

/// Words of refusals that say that something was taken away, and words with which they say that it was not.
const GONE: &[&str] = &[
    "in the trash",
    "is deleted",
    "was deleted",
    "been deleted",
    "is archived",
    "been archived",
    "was removed",
    "been removed",
];
const NOT: &[&str] = &["nothing", "not ", "n't", "no "];

/// A call that is refused since the one thing that the refusal names was taken away, though the latest change brought it back.
fn still_gone(context: &CaseContext<'_>, step: &Step, at: usize) -> Option<Problem> {
    let execution = context.execution;
    let refused = |at: usize| execution.outcomes[at].kind.is_refusal();
    let quiet = |at: &usize| {
        refused(*at) || matches!(intent_of(context, *at).verb, Verb::Read | Verb::List)
    };
    if step.label != Label::Valid || !refused(at) {
        return None;
    }
    let change = (0..at).rev().find(|at| !quiet(at))?;
    let named = telling_arguments(&execution.case.steps[change]);
    let [Value::String(id)] = named.as_slice() else { return None };
    let text = error_text(&execution.exchanges[at]);
    let lower = text.to_lowercase();
    let words = text.split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-')));
    // Names of tools are no ids; what has a digit may be one.
    let is_id = |word: &&str| *word == id || word.bytes().any(|byte| byte.is_ascii_digit());
    let mut ids = words.filter(is_id).peekable();
    let only = ids.peek().is_some() && ids.all(|word| word == id);
    let has = |words: &[&str]| words.iter().any(|words| lower.contains(words));
    let gone = only && has(GONE) && !has(NOT) && !intent_of(context, at).revives;
    if !gone || !intent_of(context, change).revives || !is_ok(execution, change) {
        return None;
    }
    let (tool, other) = (tool_of(execution, change), tool_of(execution, at));
    let message = format!(
        "`{tool}` acknowledged that it brought something back, but `{other}` says that it is still gone"
    );
    Some(Problem::new("still gone".to_owned(), message).tool(tool).step(at).involving([change]))
}

fn says_not_found(step: &Step, exchange: &Exchange) -> bool {
    if !crate::outcome::Outcome::of(exchange).kind.is_refusal() {
        return false;
    }
    let text = error_text(exchange).to_lowercase();
    let named = step.bindings.iter().any(|binding| {
        is_missing(step.action.arguments().and_then(|a| a.place(&binding.at)), &text)
    });
    named
        || ["not found", "no such", "does not exist", "doesn't exist", "unknown", "not exist"]
            .iter()
            .any(|words| text.contains(words))
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use super::observed::{execution, structured};
    use crate::case::{Binding, Role};
    use serde_json::json;
    let scene = |answer: Value| {
        let mut execution = execution(vec![
            ("create_task", Role::Call, json!({"title": "x"}), structured(json!({"id": "tsk_1"}))),
            ("get_task", Role::Call, json!({"id": "tsk_1"}), answer),
        ]);
        let from = Source::Result { pointer: "/structuredContent/id".to_owned() };
        execution.case.steps[1].bindings.push(Binding { at: "/id".to_owned(), step: 0, from });
        Scene::new().ran(execution)
    };
    let tied = || {
        let sent = json!({"items": [{"title": "x", "next": "list"}]});
        let made = structured(json!({"items": [{"id": "tsk_1", "next": {"id": "list"}}]}));
        let missing =
            json!({"isError": true, "content": [{"type": "text", "text": "list not found"}]});
        let mut execution = execution(vec![
            ("create_tasks", Role::Call, sent, made),
            ("get_task", Role::Call, json!({"id": "list"}), missing),
        ]);
        let pointer = "/structuredContent/items/0/next/id".to_owned();
        let from = Source::Result { pointer };
        execution.case.steps[1].bindings.push(Binding { at: "/id".to_owned(), step: 0, from });
        Scene::new().ran(execution)
    };
    let restored = |refusal: &str| {
        let said = |text: &str| json!({"content": [{"type": "text", "text": text}]});
        let refused = json!({"isError": true, "content": [{"type": "text", "text": refusal}]});
        Scene::new().ran(execution(vec![
            ("delete_task", Role::Call, json!({"id": "tsk_1"}), said("Deleted.")),
            ("restore", Role::Call, json!({"id": "tsk_1"}), said("Restored.")),
            ("add_note", Role::Call, json!({"task": "tsk_1", "text": "x"}), refused),
        ]))
    };
    Examples::of(&ENTRY)
        .passes(tied())
        .flags("still gone", restored("Error in add_note: Task tsk_1 is in the trash"))
        .passes(restored("List lst_2 of task tsk_1 is in the trash"))
        .passes(restored("Task tsk_1 is locked"))
        .passes(restored("Nothing in the trash has the id tsk_1"))
        .flags("does not find it", scene(json!({"isError": true, "content": [{"type": "text", "text": "Task tsk_1 not found"}]})))
        .passes(scene(structured(json!({"id": "tsk_1"}))))
}
