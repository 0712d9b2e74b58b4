//! `poison_value`.

use super::observed::{intent_of, is_look, is_ok, same_noun, tool_of};
use crate::case::Role;
use crate::lints::meta::lint;
use crate::lints::{CaseContext, Lint, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use crate::outcome::OutcomeKind;
use crate::sequence::intent::Verb;
use serde_json::Value;

lint! {
    /// After one call, a read that worked before no longer works.
    ///
    /// The call stored something that the server itself cannot read back. Everything that touches it is broken from then on.
    PoisonValue(Case, Error)
    spec: "", fix: "Refuse the value when it is stored, or make reading cope with it."
}

impl Lint for PoisonValue {
    fn case(&self, context: &CaseContext<'_>, problems: &mut Vec<Problem>) {
        let execution = context.execution;
        for at in 0..execution.exchanges.len() {
            let step = &execution.case.steps[at];
            let asks_for_nothing = step
                .action
                .arguments()
                .and_then(Value::as_object)
                .is_none_or(serde_json::Map::is_empty);
            let broken = match execution.outcomes[at].kind {
                OutcomeKind::RpcError(_) | OutcomeKind::Malformed | OutcomeKind::ToolError => true,
                OutcomeKind::Ok
                | OutcomeKind::SoftError
                | OutcomeKind::InputRequired
                | OutcomeKind::Timeout
                | OutcomeKind::Crash => false,
            };
            // A read that names nothing cannot have become wrong by itself.
            if broken
                && asks_for_nothing
                && is_look(&intent_of(context, at))
                && let Some(change) = last_change(context, at)
            {
                let (tool, reader) = (tool_of(execution, change), tool_of(execution, at));
                let problem = Problem::new(
                    format!("breaks {reader}"),
                    format!("after this call of `{tool}`, `{reader}` fails, which worked before"),
                )
                .tool(tool)
                .step(at);
                // "There is nothing more to do" may be an answer to a question; a list has always something to say.
                let list = intent_of(context, at).verb == Verb::List;
                let stores = matches!(intent_of(context, change).verb, Verb::Create | Verb::Update);
                let refused = execution.outcomes[at].kind == OutcomeKind::ToolError;
                problems.push(if stores && (list || !refused) {
                    problem
                } else {
                    problem.warning()
                });
            }
        }
    }
}

/// The likeliest change between the last time that the look at `at` worked and `at`: of those of the same kind of thing, or else of all,
/// the latest value at an edge, else the latest.
fn last_change(context: &CaseContext<'_>, at: usize) -> Option<usize> {
    let execution = context.execution;
    let steps = &execution.case.steps;
    let before = (0..at).rev().find(|earlier| steps[*earlier].action == steps[at].action)?;
    let look = intent_of(context, at);
    let changed =
        |between: &usize| is_ok(execution, *between) && !is_look(&intent_of(context, *between));
    let changes: Vec<usize> = (before + 1..at).filter(changed).collect();
    // Of the thing that was deleted there may be nothing to say.
    let deletes = |change: &usize| {
        let intent = intent_of(context, *change);
        intent.verb == Verb::Delete && (look.verb != Verb::List || same_noun(&intent, &look))
    };
    let deleted = changes.iter().any(deletes);
    let kin = |change: &&usize| same_noun(&intent_of(context, **change), &look);
    let edge = |change: &&usize| matches!(steps[**change].role, Role::Boundary { .. });
    let alike = || changes.iter().rev().filter(kin);
    let change = alike().find(edge).or_else(|| alike().next());
    let change = change.or_else(|| changes.iter().rev().find(edge)).or(changes.last())?;
    (is_ok(execution, before) && !deleted).then_some(*change)
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use super::observed::{execution, roles, structured};
    use crate::sequence::template::check;
    use serde_json::json;
    let (look, subject) = roles(check::CREATE);
    let scene = |after: Value| {
        Scene::new().ran(execution(vec![
            ("list_tasks", look.clone(), json!({}), structured(json!({"tasks": []}))),
            (
                "create_task",
                subject.clone(),
                json!({"title": "\u{0}"}),
                structured(json!({"id": "tsk_1"})),
            ),
            ("list_tasks", look.clone(), json!({}), after),
        ]))
    };
    let error =
        || json!({"isError": true, "content": [{"type": "text", "text": "internal error"}]});
    // Something else is deleted meanwhile; what was stored is to blame all the same.
    let among_others = |deletes: &str| {
        let call = |tool| (tool, Role::Call, json!({"id": "x-1"}), structured(json!({"ok": true})));
        Scene::new().ran(execution(vec![
            ("list_tasks", Role::Call, json!({}), structured(json!({"tasks": []}))),
            call("update_task"),
            call(deletes),
            call("create_note"),
            ("list_tasks", Role::Call, json!({}), error()),
        ]))
    };
    Examples::of(&ENTRY)
        .flags("this call of `update_task`", among_others("delete_note"))
        .passes(among_others("delete_task"))
        .flags(
            "worked before",
            scene(
                json!({"isError": true, "content": [{"type": "text", "text": "internal error"}]}),
            ),
        )
        .passes(scene(structured(json!({"tasks": [{"id": "tsk_1"}]}))))
}
