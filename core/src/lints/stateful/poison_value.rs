//! `poison_value`.

use super::observed::{around, intent_of, is_look, is_ok, tool_of};
use crate::case::Role;
use crate::lints::meta::lint;
use crate::lints::{CaseContext, Lint, Problem};
use crate::outcome::OutcomeKind;
use crate::sequence::intent::Verb;
use serde_json::Value;
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};

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
        let mut checks: Vec<&str> = Vec::new();
        for step in &execution.case.steps {
            if let Role::Subject { check } = &step.role
                && !checks.contains(&check.as_str())
            {
                checks.push(check);
            }
        }
        for around in checks.into_iter().flat_map(|check| around(execution, check)) {
            let (change, view) = (intent_of(context, around.subject), intent_of(context, around.after));
            let step = &execution.case.steps[around.after];
            let asks_for_nothing = step.action.arguments().and_then(Value::as_object).is_none_or(serde_json::Map::is_empty);
            let broken = match execution.outcomes[around.after].kind {
                OutcomeKind::RpcError(_) | OutcomeKind::Malformed | OutcomeKind::ToolError => true,
                OutcomeKind::Ok | OutcomeKind::SoftError | OutcomeKind::InputRequired | OutcomeKind::Timeout | OutcomeKind::Crash => false,
            };
            // A read that names nothing cannot have become wrong by itself.
            if is_ok(execution, around.before) && broken && asks_for_nothing && is_look(&view) && change.verb != Verb::Delete {
                let (tool, reader) = (tool_of(execution, around.subject), tool_of(execution, around.after));
                problems.push(Problem::new(format!("breaks {reader}"), format!("after this call of `{tool}`, `{reader}` fails, which worked before")).tool(tool).step(around.after));
            }
        }
    }
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
            ("create_task", subject.clone(), json!({"title": "\u{0}"}), structured(json!({"id": "tsk_1"}))),
            ("list_tasks", look.clone(), json!({}), after),
        ]))
    };
    Examples::of(&ENTRY)
        .flags("worked before", scene(json!({"isError": true, "content": [{"type": "text", "text": "internal error"}]})))
        .passes(scene(structured(json!({"tasks": [{"id": "tsk_1"}]}))))
}
