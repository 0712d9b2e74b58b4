//! `duplicate_id_issued`.

use super::observed::{intent_of, is_ok, tool_of};
use crate::lints::meta::lint;
use crate::lints::{CaseContext, Lint, Problem};
use crate::sequence::intent::Verb;
use crate::sequence::mine;
use serde_json::Value;
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};

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
        for at in 0..execution.exchanges.len() {
            match intent_of(context, at).verb {
                // An id may come back into use after its thing is gone.
                Verb::Delete => issued.clear(),
                Verb::Create if is_ok(execution, at) => {
                    let Some(id) = issued_id(context, at) else {
                        continue;
                    };
                    let tool = tool_of(execution, at);
                    let earlier = issued.iter().find(|(other, known)| *known == id && tool_of(execution, *other) == tool && differ(context, *other, at));
                    if earlier.is_some() {
                        problems.push(Problem::new("id", format!("`{tool}` gave two different items the id {id}")).tool(tool).step(at));
                    }
                    issued.push((at, id));
                }
                _ => {}
            }
        }
    }
}

/// The id in a create's answer: the only member named `id`, or `NOUN_id`, and not sent by the caller.
fn issued_id(context: &CaseContext<'_>, at: usize) -> Option<Value> {
    let execution = context.execution;
    let nouns = intent_of(context, at).nouns;
    let noun = nouns.last().map(String::as_str).unwrap_or_default();
    let mine_too = |path: &str| {
        let leaf = crate::schema::key_tokens(path.rsplit('/').next().unwrap_or_default());
        let words: Vec<&str> = leaf.iter().map(String::as_str).collect();
        !path.contains('*') && (words == ["id"] || (words == [noun, "id"] && !noun.is_empty()))
    };
    let mined = mine::answer(&execution.exchanges[at], false);
    let ids: Vec<&Value> = mined.iter().filter(|m| mine_too(&m.path)).map(|m| &m.value).collect();
    let [id] = ids.as_slice() else {
        return None;
    };
    let sent = execution.case.steps[at].action.arguments().map(mine::arguments).unwrap_or_default();
    (!sent.iter().any(|m| m.value == **id)).then(|| (*id).clone())
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
            ("create_task", Role::Call, json!({"title": "a"}), structured(json!({"id": "tsk_1", "project_id": "prj_1"}))),
            ("create_task", Role::Call, json!({"title": "b"}), structured(json!({"id": second, "project_id": "prj_1"}))),
        ]))
    };
    Examples::of(&ENTRY).flags("two different items", scene("tsk_1")).passes(scene("tsk_2"))
}
