//! `internal_error`.

use super::exception_in_answer::undeclared;
use crate::case::Label;
use crate::exchange::Reply;
use crate::lints::answers::undeclared_argument;
use crate::lints::faults::find_fault;
use crate::lints::look::shorten;
use crate::lints::meta::lint;
use crate::lints::traces::find_trace;
use crate::lints::{Lint, Problem, ResponseContext};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, error},
};
use crate::outcome::template;
use regex::Regex;
use std::sync::LazyLock;

lint! {
    /// A call with valid arguments was answered with the internal error -32603.
    ///
    /// Something went wrong inside the server that it did not expect. The model does not even see the message. A message that
    /// explains a foreseen failure ("no such branch") is a warning: the call was handled, but its answer is of the wrong kind.
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
        if !valid || !call || error.code != Some(-32603) {
            return;
        }
        if let Some(name) = undeclared_argument(context) {
            problems.push(undeclared(name, &error.message));
            return;
        }
        let message = format!(
            "valid arguments were answered with the internal error -32603: {}",
            shorten(&error.message, 200)
        );
        problems.push(if is_unforeseen(&error.message, &context.exchange.params.to_string()) {
            Problem::new(template(&error.message), message)
        } else {
            Problem::new("a foreseen failure", message).warning()
        });
    }
}

/// Whether a message is a runtime's or a framework's rather than an author's.
pub(super) fn is_unforeseen(message: &str, sent: &str) -> bool {
    find_fault(message, sent).is_some()
        || find_trace(message).is_some()
        || RAISED.is_match(message)
        || says_nothing(message)
}

/// Names of exceptions that mean a fault of the program, and messages that `faults` leaves to tools which fail on purpose.
static RAISED: LazyLock<Regex> = LazyLock::new(|| {
    let names = r"\b(?:Type|Attribute|Index|Key|Name|ZeroDivision|UnboundLocal|Recursion|Assertion|Reference|Range)Error\b";
    let texts = r"(?:division|modulo|divide) by zero|^'[^']*'$|panicked|unwrap|undefined\b";
    Regex::new(&format!("{names}|{texts}")).expect("a test compiles it")
});

/// Whether a message only repeats what the code says.
fn says_nothing(message: &str) -> bool {
    const EMPTY: &[&str] = &[
        "",
        "error",
        "internal",
        "server",
        "internal error",
        "unknown error",
        "internal server error",
        "internal json rpc error",
        "an error occurred",
        "something went wrong",
        "unexpected error",
        "an unexpected error occurred",
    ];
    let plain: String = message
        .chars()
        .map(|c| if c.is_alphanumeric() { c.to_ascii_lowercase() } else { ' ' })
        .collect();
    let plain = plain.split_whitespace().collect::<Vec<_>>().join(" ");
    EMPTY.contains(&plain.as_str())
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use serde_json::json;

    let says = |text, code, label| Scene::new().called("tool", json!({}), label, error(code, text));
    let call = |code, label| says("list index out of range", code, label);
    let invalid = || Label::Invalid {
        pointer: String::new(),
        keyword: "type".to_owned(),
        mutation: String::new(),
    };
    Examples::of(&ENTRY)
        .flags("list index out of range", call(-32603, Label::Valid))
        .flags("Internal error", says("Internal error", -32603, Label::Valid))
        .flags("division by zero", says("division by zero", -32603, Label::Valid))
        .flags("no such branch", says("no such branch: main", -32603, Label::Valid))
        .passes(call(-32602, Label::Valid))
        .passes(call(-32603, invalid()))
}
