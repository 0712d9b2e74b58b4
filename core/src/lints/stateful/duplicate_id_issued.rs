//! `duplicate_id_issued`.

use super::observed::{intent_of, is_ok, tool_of};
use crate::case::Source;
use crate::lints::meta::lint;
use crate::lints::{CaseContext, Execution, Lint, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use crate::sequence::intent::{Intent, Verb};
use crate::sequence::mine;
use serde_json::Value;

lint! {
    /// Two different things were created under the same id.
    ///
    /// Whoever reads, changes or deletes one of them hits the other.
    DuplicateIdIssued(Case, Error)
    spec: "", fix: "Draw ids from a source that cannot repeat (a UUID, a counter under a lock), and refuse to store over an existing one."
}

impl Lint for DuplicateIdIssued {
    fn case(&self, context: &CaseContext<'_>, problems: &mut Vec<Problem>) {
        let execution = context.execution;
        let mut issued: Vec<(usize, Value)> = Vec::new();
        let mut deletes: Vec<usize> = Vec::new();
        for at in 0..execution.exchanges.len() {
            match intent_of(context, at).verb {
                Verb::Delete if is_ok(execution, at) => deletes.push(at),
                Verb::Create if is_ok(execution, at) => {
                    let Some(id) = issued_id(context, at) else {
                        continue;
                    };
                    let tool = tool_of(execution, at);
                    let earlier = issued.iter().find(|(other, known)| {
                        *known == id
                            && tool_of(execution, *other) == tool
                            && differ(context, *other, at)
                    });
                    if let Some((other, _)) = earlier {
                        // A tool that is named for a thing alone may change the one there is.
                        let unsure = Intent::of_name(tool).verb != Verb::Create;
                        let same = issued.iter().filter(|(by, _)| tool_of(execution, *by) == tool);
                        let same: Vec<&Value> = same.map(|(_, known)| known).collect();
                        let gone = deletes.iter().rev().find(|delete| {
                            other < *delete && may_release(execution, **delete, &id, &same)
                        });
                        let problem = if gone.is_some() {
                            // An id may come back into use after its thing is gone; what still holds it then means another thing.
                            Problem::new(
                                "id used again",
                                format!(
                                    "`{tool}` gave a new item the id {id}, which an earlier one had"
                                ),
                            )
                            .warning()
                        } else {
                            Problem::new(
                                "id",
                                format!("`{tool}` gave two different items the id {id}"),
                            )
                        };
                        let problem = if unsure { problem.warning() } else { problem };
                        let involved = [*other].into_iter().chain(gone.copied());
                        problems.push(problem.tool(tool).step(at).involving(involved));
                    }
                    issued.push((at, id));
                }
                _ => {}
            }
        }
    }
}

/// Whether a delete may have freed `id`: it names it, or nothing that it names is one of the other ids (`issued`) that its tool gave out.
fn may_release(execution: &Execution, delete: usize, id: &Value, issued: &[&Value]) -> bool {
    let arguments = execution.case.steps[delete].action.arguments();
    let sent = arguments.map(mine::arguments).unwrap_or_default();
    let names = |wanted: &Value| sent.iter().any(|sent| sent.value == *wanted);
    names(id) || !issued.iter().any(|other| names(other))
}

/// The id in a create's answer: the only member named `id`, or `NOUN_id`, and not sent by the caller.
fn issued_id(context: &CaseContext<'_>, at: usize) -> Option<Value> {
    let execution = context.execution;
    let nouns = &intent_of(context, at).nouns;
    let noun = nouns.last().map(String::as_str).unwrap_or_default();
    let mine_too = |path: &str| {
        let leaf = crate::schema::key_tokens(path.rsplit('/').next().unwrap_or_default());
        let words: Vec<&str> = leaf.iter().map(String::as_str).collect();
        !path.contains('*') && (words == ["id"] || (words == [noun, "id"] && !noun.is_empty()))
    };
    let mined = mine::answer(&execution.exchanges[at], false);
    let ids: Vec<&Value> = mined.iter().filter(|m| mine_too(&m.path)).map(|m| &m.value).collect();
    let told = told_id(context, at, noun);
    let id = match ids.as_slice() {
        [id] => *id,
        [] => told.as_ref()?,
        _ => return None,
    };
    let sent = execution.case.steps[at].action.arguments().map(mine::arguments).unwrap_or_default();
    (!sent.iter().any(|m| m.value == *id)).then(|| id.clone())
}

/// The id in a sentence: the only value that follows the noun.
fn told_id(context: &CaseContext<'_>, at: usize, noun: &str) -> Option<Value> {
    let mined = mine::answer(&context.execution.exchanges[at], true);
    let mut named = mined.into_iter().filter(|m| {
        m.value.is_string() && matches!(&m.source, Source::TextToken { .. }) && m.path == noun
    });
    let first = named.next()?;
    named.all(|other| other.value == first.value).then_some(first.value)
}

/// Whether the two calls asked for different things.
fn differ(context: &CaseContext<'_>, a: usize, b: usize) -> bool {
    let steps = &context.execution.case.steps;
    steps[a].action != steps[b].action
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use super::observed::{execution, structured};
    use crate::case::Role;
    use serde_json::json;
    let scene = |second: &str| {
        Scene::new().ran(execution(vec![
            (
                "create_task",
                Role::Call,
                json!({"title": "a"}),
                structured(json!({"id": "tsk_1", "project_id": "prj_1"})),
            ),
            (
                "create_task",
                Role::Call,
                json!({"title": "b"}),
                structured(json!({"id": second, "project_id": "prj_1"})),
            ),
        ]))
    };
    let text = |id: &str| json!({"content": [{"type": "text", "text": format!("Created task {id} in project prj_1")}]});
    let again = |second: &str| {
        Scene::new().ran(execution(vec![
            ("create_task", Role::Call, json!({"title": "a"}), text("tsk_1a")),
            ("delete_task", Role::Call, json!({"id": "tsk_1a"}), text("tsk_1a")),
            ("create_task", Role::Call, json!({"title": "b"}), text(second)),
        ]))
    };
    // The second note goes, and a third gets the number of the first, which is still there.
    let counted = |gone: &str| {
        Scene::new().ran(execution(vec![
            ("add_note", Role::Call, json!({"text": "a"}), structured(json!({"id": "n1"}))),
            ("add_note", Role::Call, json!({"text": "b"}), structured(json!({"id": "n2"}))),
            ("delete_note", Role::Call, json!({"id": gone}), text("deleted")),
            ("add_note", Role::Call, json!({"text": "c"}), structured(json!({"id": "n2"}))),
        ]))
    };
    Examples::of(&ENTRY)
        .flags("two different items the id \"n2\"", counted("n1"))
        .flags("which an earlier one had", counted("n2"))
        .flags("two different items", scene("tsk_1"))
        .flags("which an earlier one had", again("tsk_1a"))
        .passes(again("tsk_2b"))
        .passes(scene("tsk_2"))
}
