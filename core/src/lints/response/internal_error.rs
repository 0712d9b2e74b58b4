//! `internal_error`.

use crate::case::Label;
use crate::exchange::Reply;
use crate::lints::look::shorten;
use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, ResponseContext};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, error},
};
use crate::outcome::template;

lint! {
    /// A call with valid arguments was answered with the internal error -32603.
    ///
    /// Something went wrong inside the server that it did not expect. The model does not even see the message.
    InternalError(Response, Error) {}
    spec: "server/tools#error-handling", fix: "Catch the failure inside the tool; answer with `isError: true` and a text, or mend the cause."
}

impl Lint for InternalError {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        let Reply::Error(error) = &context.exchange.reply else {
            return;
        };
        let valid = context.step.is_some_and(|step| step.label == Label::Valid);
        let call = context.exchange.method == "tools/call";
        if valid && call && error.code == Some(-32603) {
            problems.push(Problem::new(
                template(&error.message),
                format!(
                    "valid arguments were answered with the internal error -32603: {}",
                    shorten(&error.message, 200)
                ),
            ));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use serde_json::json;

    let call = |code, label| {
        Scene::new().called("tool", json!({}), label, error(code, "list index out of range"))
    };
    let invalid = || Label::Invalid {
        pointer: String::new(),
        keyword: "type".to_owned(),
        mutation: String::new(),
    };
    Examples::of(&ENTRY)
        .flags("list index out of range", call(-32603, Label::Valid))
        .passes(call(-32602, Label::Valid))
        .passes(call(-32603, invalid()))
}
