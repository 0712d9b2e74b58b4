//! `error_code_retired`.

use crate::exchange::Reply;
use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, ResponseContext};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, error},
};

lint! {
    /// An error code is used that this revision has retired.
    ///
    /// -32002 (resource not found) and -32042 (URL elicitation required) belong to earlier revisions; clients of this one
    /// do not know them.
    ErrorCodeRetired(Response, Error) {}
    spec: "basic/index#error-codes", fix: "Use -32602 for an unknown resource, and an `input_required` result for elicitation.", since: V2026_07_28
}

impl Lint for ErrorCodeRetired {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        let Reply::Error(error) = &context.exchange.reply else {
            return;
        };
        let problem = |code: i64, now: &str| {
            Problem::new(
                format!("code {code}"),
                format!("the error code {code} is of an earlier revision; this one has {now}"),
            )
        };
        match error.code {
            Some(code @ -32002) => problems.push(problem(code, "-32602 for an unknown resource")),
            Some(code @ -32042) => problems.push(problem(code, "`input_required` results")),
            // Numbers of drafts, in a range that implementations may use.
            Some(code @ -32001) => {
                problems.push(problem(code, "-32020 for a header mismatch").warning());
            }
            Some(code @ -32003) => {
                problems.push(problem(code, "-32021 for a missing capability").warning());
            }
            Some(code @ -32004) => {
                problems.push(problem(code, "-32022 for an unsupported version").warning());
            }
            _ => {}
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::protocol::Revision;
    use serde_json::json;

    let answer = |code| {
        Scene::at(Revision::V2026_07_28).asked("resources/read", json!({}), error(code, "x"))
    };
    Examples::of(&ENTRY)
        .flags("-32602", answer(-32002))
        .flags("-32021", answer(-32003))
        .passes(answer(-32602))
}
