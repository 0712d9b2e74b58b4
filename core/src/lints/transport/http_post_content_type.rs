//! `http_post_content_type`.

use crate::exchange::Reply;
use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, ResponseContext};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, http},
};

lint! {
    /// A request is answered with a content type that is neither JSON nor an event stream.
    ///
    /// Clients choose by it how to read the answer, and refuse others.
    HttpPostContentType(Response, Error) {}
    spec: "basic/transports#sending-messages-to-the-server", fix: "Send `Content-Type: application/json` or `text/event-stream`.", since: V2025_03_26
}

impl Lint for HttpPostContentType {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        let Some(http) = context.exchange.http.as_ref().filter(|http| http.status == 200) else {
            return;
        };
        if !matches!(
            context.exchange.reply,
            Reply::Result(_) | Reply::Error(_) | Reply::Malformed(_)
        ) {
            return;
        }
        let kind = http.header("content-type").unwrap_or_default();
        let essence = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        if !matches!(essence.as_str(), "application/json" | "text/event-stream") {
            problems.push(Problem::new(
                format!("type {essence}"),
                format!("{} was answered with the content type {kind:?}", context.exchange.method),
            ));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::exchange::Reply;
    use serde_json::json;

    let answer = |kind: &str| {
        let mut response = http(200, "{}");
        response.headers = vec![("content-type".to_owned(), kind.to_owned())];
        Scene::new()
            .over_http()
            .asked("tools/list", json!({}), Reply::Result(json!({"tools": []})))
            .http(response)
    };
    Examples::of(&ENTRY)
        .flags("\"text/plain\"", answer("text/plain"))
        .passes(answer("application/json; charset=utf-8"))
        .passes(answer("text/event-stream"))
}
