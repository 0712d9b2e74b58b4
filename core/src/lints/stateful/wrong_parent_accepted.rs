//! `wrong_parent_accepted`.

use super::observed::{holders, intent_of, is_ok, is_telling, tool_of};
use crate::lints::meta::lint;
use crate::lints::{CaseContext, Lint, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use crate::sequence::intent::Verb;
use serde_json::{Map, Value};

lint! {
    /// A thing is answered under a parent that is not its own.
    ///
    /// Whoever may see one parent can read through it what belongs to another.
    WrongParentAccepted(Case, Warning)
    spec: "", fix: "Look the item up within the parent that the call names, and refuse it where it belongs to another."
}

impl Lint for WrongParentAccepted {
    fn case(&self, context: &CaseContext<'_>, problems: &mut Vec<Problem>) {
        let execution = context.execution;
        for at in 0..execution.exchanges.len() {
            let Some(sent) = execution.case.steps[at].action.arguments().and_then(Value::as_object)
            else {
                continue;
            };
            if intent_of(context, at).verb != Verb::Read || !is_ok(execution, at) {
                continue;
            }
            if let Some((name, asked, shown)) = contradiction(context, at, sent) {
                let tool = tool_of(execution, at);
                let message = format!(
                    "`{tool}` was asked with `{name}` {asked} and answers an item whose `{name}` is {shown}"
                );
                problems.push(Problem::new(format!("{name} ignored"), message).tool(tool).step(at));
            }
        }
    }
}

/// An id in the arguments that the item found by another one contradicts, though it names something that is there.
fn contradiction(
    context: &CaseContext<'_>,
    at: usize,
    sent: &Map<String, Value>,
) -> Option<(String, Value, Value)> {
    let ids: Vec<(&String, &Value)> =
        sent.iter().filter(|(name, value)| is_id(name) && is_telling(value)).collect();
    for (_, id) in &ids {
        let found = holders(&context.execution.exchanges[at], id);
        let [Value::Object(item)] = found.as_slice() else {
            continue;
        };
        for (name, asked) in ids.iter().filter(|(_, other)| other != id) {
            let shown = item.get(*name).filter(|shown| is_telling(shown) && shown != asked);
            if let Some(shown) = shown.filter(|_| is_known(context, at, asked)) {
                return Some(((*name).clone(), (*asked).clone(), shown.clone()));
            }
        }
    }
    None
}

fn is_id(name: &str) -> bool {
    crate::schema::key_tokens(name).last().is_some_and(|last| last == "id" || last == "uuid")
}

/// Whether the value stood in an earlier answer: it names something.
fn is_known(context: &CaseContext<'_>, at: usize, value: &Value) -> bool {
    let Some(text) = value.as_str() else {
        return false;
    };
    let earlier = &context.execution.exchanges[..at];
    earlier
        .iter()
        .any(|exchange| exchange.result().is_some_and(|result| result.to_string().contains(text)))
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use super::observed::{execution, structured};
    use crate::case::Role;
    use serde_json::json;

    let scene = |asked: &str| {
        Scene::new().ran(execution(vec![
            ("create_task", Role::Call, json!({}), structured(json!({"id": "tsk_1"}))),
            ("create_task", Role::Call, json!({}), structured(json!({"id": "tsk_2"}))),
            (
                "get_comment",
                Role::Call,
                json!({"task_id": asked, "comment_id": "cmt_1"}),
                structured(json!({"id": "cmt_1", "task_id": "tsk_1"})),
            ),
        ]))
    };
    Examples::of(&ENTRY)
        .flags("whose `task_id` is \"tsk_1\"", scene("tsk_2"))
        .passes(scene("tsk_1"))
}
