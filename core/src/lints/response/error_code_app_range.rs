//! `error_code_app_range`.

use crate::exchange::Reply;
use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, ResponseContext};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, error},
};

lint! {
    /// An error code of the server's own lies in the range that JSON-RPC reserves.
    ///
    /// Codes of applications belong outside -32768 to -32000.
    ErrorCodeAppRange(Response, Disabled) {}
    spec: "basic/index#error-codes", fix: "Choose codes of your own outside -32768 to -32000.", since: V2026_07_28
}

impl Lint for ErrorCodeAppRange {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        if let Reply::Error(error) = &context.exchange.reply
            && let Some(code) = error.code.filter(|code| (-32768..=-32100).contains(code))
            && !matches!(code, -32700 | -32603..=-32600)
        {
            problems.push(Problem::new(
                format!("code {code}"),
                format!("the error code {code} lies in the range that JSON-RPC reserves"),
            ));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::protocol::Revision;
    use serde_json::json;

    let answer =
        |code| Scene::at(Revision::V2026_07_28).asked("tools/list", json!({}), error(code, "x"));
    Examples::of(&ENTRY).flags("-32500", answer(-32500)).passes(answer(-32601)).passes(answer(1001))
}
