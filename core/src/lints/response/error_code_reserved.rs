//! `error_code_reserved`.

use crate::exchange::Reply;
use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, ResponseContext};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, error},
};

lint! {
    /// An error code of the protocol's reserved range is used for something else.
    ///
    /// From -32020 to -32099 only -32020 (header mismatch), -32021 (missing client capability) and -32022 (unsupported
    /// version) have a meaning; clients act on them.
    ErrorCodeReserved(Response, Error) {}
    spec: "basic/index#error-codes", fix: "Choose codes of your own outside -32768 to -32000.", since: V2026_07_28
}

impl Lint for ErrorCodeReserved {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        let Reply::Error(error) = &context.exchange.reply else {
            return;
        };
        let Some(code) = error.code else { return };
        // -32042 is retired rather than free: `error_code_retired`.
        if (-32099..=-32023).contains(&code) && code != -32042 {
            problems.push(Problem::new(
                format!("code {code}"),
                format!(
                    "the error code {code} is reserved by the protocol and has no meaning in it"
                ),
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
    Examples::of(&ENTRY)
        .flags("-32050", answer(-32050))
        .passes(answer(-32022))
        .passes(answer(-32601))
}
