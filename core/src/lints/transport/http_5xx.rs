//! `http_5xx`.

use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, ResponseContext};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, error, http},
};

lint! {
    /// The server answered with an HTTP status of 500 or above.
    ///
    /// Something broke that the server did not expect; proxies and clients retry or drop the session.
    Http5xx(Response, Error) {}
    spec: "RFC 9110 section 15.6", fix: "Answer faulty requests with 4xx, and failing tools with status 200 and `isError: true`."
}

impl Lint for Http5xx {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        if let Some(http) = context.exchange.http.as_ref().filter(|http| http.status >= 500) {
            problems.push(Problem::new(
                format!("status {}", http.status),
                format!("{} was answered with status {}", context.exchange.method, http.status),
            ));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use serde_json::json;

    let answer = |status| {
        Scene::new()
            .over_http()
            .asked("tools/list", json!({}), error(-32603, "x"))
            .http(http(status, "{}"))
    };
    Examples::of(&ENTRY).flags("status 500", answer(500)).passes(answer(400))
}
