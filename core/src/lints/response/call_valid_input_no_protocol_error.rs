//! `call_valid_input_no_protocol_error`.

use super::internal_error::is_unforeseen;
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
use crate::pointer::Places;

lint! {
    /// A call with valid arguments was answered with a JSON-RPC error.
    ///
    /// A model never sees a protocol error, so it cannot mend its call. What a tool has to say goes into a result with
    /// `isError: true`. -32603 is `internal_error`; -32602 may be meant for the model and is left alone.
    CallValidInputNoProtocolError(Response, Error) {}
    spec: "server/tools#error-handling", fix: "Answer with `isError: true` and a text that says what is wrong."
}

impl Lint for CallValidInputNoProtocolError {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        let (Reply::Error(error), Some(tool)) = (&context.exchange.reply, context.tool) else {
            return;
        };
        let valid = context.step.is_some_and(|step| step.label == Label::Valid);
        let Some(code) = error.code.filter(|_| valid) else {
            return;
        };
        let task = tool.raw.place("/execution/taskSupport").and_then(|support| support.as_str());
        let message = shorten(&error.message, 120);
        let problem = Problem::new(
            format!("code {code}"),
            format!("valid arguments were answered with the protocol error {code}: {message}"),
        );
        match code {
            // Told by lints of their own, followed up, or arguable.
            -32603 | -32602 | -32021 | -32042 => {}
            -32601 | -32600 if task == Some("required") => {}
            // A refusal that says what is wrong with the values is an answer of the wrong kind, not a breakdown.
            -32600 if !is_unforeseen(&error.message, &context.exchange.params.to_string()) => {
                problems.push(problem.warning());
            }
            -32601 | -32600 | -32700 => problems.push(problem),
            _ => problems.push(problem.warning()),
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use serde_json::json;

    let call = |code, label| {
        Scene::new().input_schema(json!({"type": "object"})).called(
            "tool",
            json!({}),
            label,
            error(code, if code == -32600 { "Internal error" } else { "no" }),
        )
    };
    let refused = error(-32600, "the query must not be empty");
    let refused = Scene::new().input_schema(json!({"type": "object"})).called(
        "tool",
        json!({}),
        Label::Valid,
        refused,
    );
    let invalid = || Label::Invalid {
        pointer: String::new(),
        keyword: "type".to_owned(),
        mutation: String::new(),
    };
    Examples::of(&ENTRY)
        .flags("the protocol error -32601", call(-32601, Label::Valid))
        .flags("the protocol error -32600", call(-32600, Label::Valid))
        .flags("must not be empty", refused)
        .flags("the protocol error -32000", call(-32000, Label::Valid))
        .passes(call(-32602, Label::Valid))
        .passes(call(-32000, invalid()))
}
