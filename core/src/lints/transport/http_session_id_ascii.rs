//! `http_session_id_ascii`.

use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, ResponseContext};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, http},
};

lint! {
    /// The session id has characters that do not belong in a header.
    ///
    /// Clients cannot send it back.
    HttpSessionIdAscii(Response, Error) {}
    spec: "basic/transports#session-management", fix: "Make session ids of visible ASCII characters, for example a UUID.", since: V2025_03_26, until: V2025_11_25
}

impl Lint for HttpSessionIdAscii {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        let id = context.exchange.http.as_ref().and_then(|http| http.header("mcp-session-id"));
        if let Some(id) =
            id.filter(|id| id.is_empty() || !id.bytes().all(|b| (0x21..=0x7e).contains(&b)))
        {
            problems.push(Problem::new(
                "session id",
                format!("the session id {id:?} is not made of visible ASCII characters"),
            ));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::exchange::Reply;
    use serde_json::json;

    let answer = |id: &str| {
        let mut response = http(200, "{}");
        response.headers.push(("Mcp-Session-Id".to_owned(), id.to_owned()));
        Scene::new()
            .over_http()
            .asked("initialize", json!({}), Reply::Result(json!({})))
            .http(response)
    };
    Examples::of(&ENTRY).flags("\"a b\"", answer("a b")).passes(answer("0af7-6519"))
}
