//! `error_code_legacy_range`.

use crate::exchange::Reply;
use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, ResponseContext};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, error},
};

lint! {
    /// An error code lies in the range that only old implementations should still use.
    ///
    /// New code should keep out of -32000 to -32019.
    ErrorCodeLegacyRange(Response, Disabled) {}
    spec: "basic/index#error-codes", fix: "Choose codes of your own outside -32768 to -32000.", since: V2026_07_28
}

impl Lint for ErrorCodeLegacyRange {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        if let Reply::Error(error) = &context.exchange.reply
            && let Some(code) = error.code.filter(|code| (-32019..=-32000).contains(code))
        {
            problems.push(Problem::new(
                format!("code {code}"),
                format!("the error code {code} lies in the range of old implementations"),
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
    Examples::of(&ENTRY).flags("-32000", answer(-32000)).passes(answer(-32020)).passes(answer(7))
}
