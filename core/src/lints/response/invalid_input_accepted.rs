//! `invalid_input_accepted`.

use crate::case::Label;
use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, ResponseContext};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use crate::outcome::OutcomeKind;

lint! {
    /// Arguments that the tool's own schema forbids are accepted.
    ///
    /// The schema is the only contract that a model sees. Where it is not enforced, a wrong call does something that nobody asked for, and the model never learns that it was wrong.
    InvalidInputAccepted(Response, Warning) {
        /// Keywords whose breach is not judged: those that frameworks commonly leave to the tool.
        ignored_keywords: Vec<String> = ["format", "additionalProperties", "unevaluatedProperties", "contentEncoding", "contentMediaType", "uniqueItems"].map(str::to_owned).to_vec(),
    }
    spec: "server/tools#security-considerations", fix: "Validate the arguments against the input schema before the tool runs, and answer with `isError: true` and the reason; or widen the schema to what the tool really takes."
}

impl Lint for InvalidInputAccepted {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        let Some(Label::Invalid { pointer, keyword, mutation }) =
            context.step.map(|step| &step.label)
        else {
            return;
        };
        if context.outcome.kind != OutcomeKind::Ok || self.ignored_keywords.contains(keyword) {
            return;
        }
        let at = if pointer.is_empty() { String::new() } else { format!(" at `{pointer}`") };
        problems.push(Problem::new(
            keyword.clone(),
            format!(
                "a call that breaks `{keyword}`{at} of the tool's own schema ({mutation}) succeeded"
            ),
        ));
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::exchange::Reply;
    use serde_json::{Value, json};
    let scene = |keyword: &str, result: Value| {
        let label = Label::Invalid {
            pointer: "/n".to_owned(),
            keyword: keyword.to_owned(),
            mutation: "above the maximum".to_owned(),
        };
        Scene::new().called("tool", json!({"n": 11}), label, Reply::Result(result))
    };
    let done = json!({"content": [{"type": "text", "text": "done"}]});
    Examples::of(&ENTRY)
        .flags("breaks `maximum` at `/n`", scene("maximum", done.clone()))
        .passes(scene(
            "maximum",
            json!({"isError": true, "content": [{"type": "text", "text": "n is too large"}]}),
        ))
        .passes(scene("format", done))
}
