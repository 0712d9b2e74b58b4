//! `misspelt_argument_dropped`.

use crate::case::Label;
use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, ResponseContext};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use crate::outcome::OutcomeKind;

lint! {
    /// The schema forbids undeclared arguments, and one is accepted and dropped without a word.
    ///
    /// Models misspell parameters. A dropped argument means that the call does something else than was asked for, and answers "ok".
    MisspeltArgumentDropped(Response, Warning)
    spec: "server/tools#security-considerations", fix: "Refuse undeclared arguments by name (the schema says `additionalProperties: false`), so that the model can correct itself."
}

impl Lint for MisspeltArgumentDropped {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        let Some(Label::Invalid { keyword, mutation, .. }) = context.step.map(|step| &step.label)
        else {
            return;
        };
        let undeclared =
            matches!(keyword.as_str(), "additionalProperties" | "unevaluatedProperties");
        if undeclared && context.outcome.kind == OutcomeKind::Ok {
            problems.push(Problem::new("undeclared argument", format!("a call with an argument that the schema forbids ({mutation}) succeeded as if it were not there")));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::exchange::Reply;
    use serde_json::{Value, json};
    let scene = |result: Value| {
        let label = Label::Invalid {
            pointer: String::new(),
            keyword: "additionalProperties".to_owned(),
            mutation: "undeclared `limti`".to_owned(),
        };
        Scene::new().called("tool", json!({"limti": 1}), label, Reply::Result(result))
    };
    Examples::of(&ENTRY)
        .flags("succeeded as if it were not there", scene(json!({"content": []})))
        .passes(scene(json!({"isError": true, "content": [{"type": "text", "text": "unrecognized key limti"}]})))
}
