//! `call_invalid_input_is_tool_error`.

use crate::case::Label;
use crate::exchange::Reply;
use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, ResponseContext};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, error},
};

lint! {
    /// Invalid arguments were answered with a JSON-RPC error instead of a tool error.
    ///
    /// A model can mend its call only if it sees what was wrong, and it does not see protocol errors.
    CallInvalidInputIsToolError(Response, Warning) {}
    spec: "server/tools#error-handling", fix: "Validate inside the tool and answer with `isError: true` and a text that names the argument.", since: V2025_11_25
}

impl Lint for CallInvalidInputIsToolError {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        let invalid = context.step.is_some_and(|step| matches!(step.label, Label::Invalid { .. }));
        let Reply::Error(error) = &context.exchange.reply else {
            return;
        };
        if let Some(code) = error.code.filter(|code| invalid && *code != -32603) {
            problems.push(Problem::new(
                format!("code {code}"),
                format!("invalid arguments were answered with the protocol error {code}, which models do not see"),
            ));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use serde_json::json;

    let call = |label, reply| Scene::new().called("tool", json!({}), label, reply);
    let invalid = || Label::Invalid {
        pointer: String::new(),
        keyword: "type".to_owned(),
        mutation: String::new(),
    };
    let result = Reply::Result(json!({"content": [], "isError": true}));
    Examples::of(&ENTRY)
        .flags("the protocol error -32602", call(invalid(), error(-32602, "no")))
        .passes(call(invalid(), result))
        .passes(call(Label::Valid, error(-32602, "no")))
}
