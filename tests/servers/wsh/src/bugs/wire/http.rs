//! Streamable HTTP with a hand on the answers.

use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::Request;
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use axum::http::{Method, StatusCode};
use axum::middleware::{Next, from_fn};
use axum::response::Response;
use futures_util::{Stream, StreamExt, stream};
use serde_json::Value;

use super::change::change;

/// Length from which `http_large_answer_cut` cuts, in bytes.
const LARGE: usize = 4096;

/// The MCP service, with its answers changed if a bug says so.
pub(crate) fn over_http(service: Router) -> Router {
    match super::active() {
        Some(bug) => service.layer(from_fn(move |request, next| serve(bug, request, next))),
        None => service,
    }
}

async fn serve(bug: &'static str, request: Request, next: Next) -> Response {
    if request.method() != Method::POST {
        return next.run(request).await;
    }
    let (parts, body) = request.into_parts();
    let body = to_bytes(body, usize::MAX).await.unwrap_or_default();
    let message: Value = serde_json::from_slice(&body).unwrap_or_default();
    let response = next.run(Request::from_parts(parts, Body::from(body))).await;
    let (mut parts, body) = response.into_parts();
    // The stream of a POST ends with its answer.
    let body = to_bytes(body, usize::MAX).await.unwrap_or_default();
    let events = parts
        .headers
        .get(CONTENT_TYPE)
        .is_some_and(|kind| kind.as_bytes().starts_with(b"text/event-stream"));
    let (body, answer) = changed(bug, events, &body, &message);
    parts.headers.remove(CONTENT_LENGTH);
    let call = message["method"] == "tools/call";
    if bug == "http_large_answer_cut" && call && body.len() > LARGE {
        crate::bugs::trigger(bug);
        return Response::from_parts(parts, Body::from_stream(cut(&body)));
    }
    if bug == "http_500_on_unknown_session"
        && call
        && answer["error"]["data"]["session"].is_string()
    {
        crate::bugs::trigger(bug);
        parts.status = StatusCode::INTERNAL_SERVER_ERROR;
    }
    Response::from_parts(parts, Body::from(body))
}

/// The beginning of a body, and then the end of the connection.
fn cut(body: &Bytes) -> impl Stream<Item = std::io::Result<Bytes>> + use<> {
    let beginning = body.slice(..LARGE);
    let end = async {
        // The beginning must have left before the connection breaks.
        tokio::time::sleep(Duration::from_millis(30)).await;
        Err(std::io::Error::other("cut"))
    };
    stream::once(async { Ok(beginning) }).chain(stream::once(end))
}

/// The body with the answer in it changed, and that answer.
fn changed(bug: &'static str, events: bool, body: &Bytes, request: &Value) -> (Bytes, Value) {
    let text = String::from_utf8_lossy(body);
    let mut found = Value::Null;
    let mut lines = Vec::new();
    for line in text.split('\n') {
        let (prefix, json) = match line.strip_prefix("data:") {
            Some(data) if events => ("data: ", data.trim()),
            None if !events => ("", line),
            _ => ("", ""),
        };
        match serde_json::from_str::<Value>(json) {
            Ok(mut answer) if answer.get("id").is_some() => {
                if change(bug, request, &mut answer) {
                    crate::bugs::trigger(bug);
                }
                lines.push(format!("{prefix}{answer}"));
                found = answer;
            }
            _ => lines.push(line.to_owned()),
        }
    }
    (Bytes::from(lines.join("\n")), found)
}
