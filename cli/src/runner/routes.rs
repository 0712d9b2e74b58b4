//! The runner's ways in over HTTP, beside MCP: actions, a stream, a sign of life, and pages for people.

use super::audit::Attempt;
use super::error::{Code, Refusal, shown};
use super::policy::{Asked, ScriptRequest};
use super::service::Runner;
use super::stream::Events;
use super::{openapi, pages};
use crate::mcp::guard::{Peer, refuse};
use axum::body::{Body, Bytes};
use axum::extract::{Query, Request, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::Serialize;
use serde_json::{Value, json};
use std::sync::Arc;

pub(super) const RUN: &str = "/actions/run_script";
pub(super) const LIST: &str = "/actions/list_allowed";
pub(super) const STREAM: &str = "/sse/run_script_stream";
pub(super) const HEALTH: &str = "/healthz";
pub(super) const OPENAPI: &str = "/openapi.json";

/// All routes. Without a runner the actions and the stream answer that it is off.
pub(crate) fn routes(runner: Option<Arc<Runner>>) -> Router {
    let pages = Router::new()
        .route(HEALTH, get(health))
        .route(OPENAPI, get(async || Json(openapi::document())))
        .route(pages::DOCS, get(pages::docs))
        .route(pages::PLAYGROUND, get(pages::playground));
    let actions = match runner {
        Some(runner) => Router::new()
            .route(RUN, post(run))
            .route(LIST, post(list))
            .route(STREAM, get(stream))
            .layer(from_fn_with_state(Arc::clone(&runner), same_site))
            .with_state(runner),
        None => Router::new().route(RUN, post(off)).route(LIST, post(off)).route(STREAM, get(off)),
    };
    pages.merge(actions)
}

async fn health() -> Response {
    let document = json!({ "ok": true, "name": "tooltest", "version": env!("CARGO_PKG_VERSION") });
    Json(document).into_response()
}

async fn off() -> Response {
    let refusal = Refusal::policy(
        "the guarded runner is off; scripts are allowed by [runner] in tooltest.toml, or by TSM_ALLOWED_ROOT and TSM_ALLOWED_SCRIPTS",
    );
    refuse(StatusCode::NOT_FOUND, &refusal)
}

/// Keeps pages of other sites out: an image or a link needs no Origin, and its request would run a script all the same.
async fn same_site(State(runner): State<Arc<Runner>>, request: Request, next: Next) -> Response {
    if is_own(request.headers()) {
        return next.run(request).await;
    }
    let (head, _) = request.into_parts();
    let refusal = Refusal::forbidden(
        "a page of another site asks, or a link was followed; allowed are this server's own pages, and programs",
    );
    let attempt = Attempt {
        tool: "http",
        path: format!("{} {}", head.method, head.uri.path()),
        args: Vec::new(),
        requester: requester(&head),
    };
    answer_refusal(&runner.refused(attempt, refusal).await)
}

/// Whether a program or a page of this server asks.
fn is_own(headers: &HeaderMap) -> bool {
    let header = |name: &str| headers.get(name).map(HeaderValue::as_bytes);
    // A link in a letter is a visit that no site is behind.
    matches!(header("sec-fetch-site"), None | Some(b"same-origin" | b"none"))
        && header("sec-fetch-mode") != Some(b"navigate")
}

async fn run(State(runner): State<Arc<Runner>>, head: Parts, body: Bytes) -> Response {
    let requester = requester(&head);
    let request = json_of(&head, &body)
        .map_err(|refusal| (Asked::default(), refusal))
        .and_then(ScriptRequest::read);
    match request {
        Ok(request) => match runner.run(request, requester).await {
            Ok(result) => Json(result).into_response(),
            Err(failed) => answer_error(failed.refusal.code, &failed),
        },
        Err((asked, refusal)) => {
            answer_refusal(&runner.refused(asked.by("run_script", requester), refusal).await)
        }
    }
}

async fn list(State(runner): State<Arc<Runner>>, head: Parts, body: Bytes) -> Response {
    let requester = requester(&head);
    let document = if body.is_empty() { Ok(json!({})) } else { json_of(&head, &body) };
    let nothing = document.and_then(|document| match document {
        Value::Object(object) if object.is_empty() => Ok(()),
        _ => Err(Refusal::bad_arg("nothing can be asked for here; allowed is an empty object")),
    });
    let listing = match nothing {
        Ok(()) => runner.list(requester).await,
        Err(refusal) => {
            let attempt = Asked::default().by("list_allowed", requester);
            Err(runner.refused(attempt, refusal).await)
        }
    };
    match listing {
        Ok(listing) => Json(listing).into_response(),
        Err(refusal) => answer_refusal(&refusal),
    }
}

async fn stream(
    State(runner): State<Arc<Runner>>,
    Query(pairs): Query<Vec<(String, String)>>,
    head: Parts,
) -> Response {
    let requester = requester(&head);
    let body = match asked_in(pairs) {
        Ok(request) => Body::new(Events::of(runner.start(request, requester))),
        Err((asked, refusal)) => {
            let refusal = runner.refused(asked.by("run_script", requester), refusal).await;
            Body::from(format!("event: error\ndata: {}\n\n", json!(refusal)))
        }
    };
    let headers = [(CONTENT_TYPE, "text/event-stream"), (CACHE_CONTROL, "no-store")];
    (headers, body).into_response()
}

/// The request of a stream's query: `path`, `args` (once for each, or once as a JSON array of strings), `timeout_ms`.
fn asked_in(pairs: Vec<(String, String)>) -> Result<ScriptRequest, (Asked, Refusal)> {
    let mut document = serde_json::Map::new();
    let mut args = Vec::new();
    let mut fault = None;
    for (name, value) in pairs {
        let is_again = document.contains_key(&name);
        match name.as_str() {
            "path" | "timeout_ms" if is_again => {
                fault = Some(format!("`{name}` is given twice; once is allowed"));
            }
            "path" => drop(document.insert(name, value.into())),
            "timeout_ms" => {
                if let Ok(number) = value.trim().parse::<u64>() {
                    document.insert(name, number.into());
                } else {
                    let value = shown(&value);
                    fault = Some(format!("timeout_ms is {value}; allowed are whole numbers"));
                }
            }
            "args" => match serde_json::from_str::<Vec<Value>>(&value) {
                Ok(list) => args.extend(list),
                Err(_) => args.push(value.into()),
            },
            _ => {
                let name = shown(&name);
                fault =
                    Some(format!("unknown {name}; allowed are `path`, `args` and `timeout_ms`"));
            }
        }
    }
    document.insert("args".to_owned(), args.into());
    let document = Value::Object(document);
    match fault {
        Some(fault) => Err((Asked::of(&document), Refusal::bad_arg(fault))),
        None => ScriptRequest::read(document),
    }
}

fn json_of(head: &Parts, body: &Bytes) -> Result<Value, Refusal> {
    let kind = head.headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    let kind = kind.and_then(|kind| kind.split(';').next()).unwrap_or_default().trim();
    if !kind.eq_ignore_ascii_case("application/json") {
        return Err(Refusal::bad_arg(format!(
            "the body is {}; allowed is `application/json`, as Content-Type says",
            shown(kind)
        )));
    }
    serde_json::from_slice(body).map_err(|error| {
        Refusal::bad_arg(format!("the body is no JSON ({error}); a JSON object is allowed"))
    })
}

fn requester(head: &Parts) -> Option<String> {
    head.extensions.get::<Peer>().map(|peer| peer.0.to_string())
}

fn answer_refusal(refusal: &Refusal) -> Response {
    answer_error(refusal.code, refusal)
}

fn answer_error(code: Code, error: &impl Serialize) -> Response {
    let status = match code {
        Code::Forbidden | Code::Policy => StatusCode::FORBIDDEN,
        Code::BadArg => StatusCode::BAD_REQUEST,
        Code::Timeout => StatusCode::GATEWAY_TIMEOUT,
        Code::Exec => StatusCode::INTERNAL_SERVER_ERROR,
    };
    (status, Json(json!({ "error": error }))).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(pairs: &[(&str, &str)]) -> Result<ScriptRequest, Refusal> {
        let pairs = pairs.iter().map(|&(name, value)| (name.to_owned(), value.to_owned()));
        asked_in(pairs.collect()).map_err(|(_, refusal)| refusal)
    }

    #[test]
    fn a_query_is_a_request() {
        let pairs = [
            ("path", "a.sh"),
            ("args", "--a=1"),
            ("args", "[\"--b\", \"2\"]"),
            ("timeout_ms", " 30 "),
        ];
        let request = asked(&pairs).unwrap();
        assert_eq!(request.path, "a.sh");
        assert_eq!(request.args, ["--a=1", "--b", "2"]);
        assert_eq!(request.timeout_ms, Some(30));
    }

    #[test]
    fn a_query_that_is_none_says_what_would_be() {
        for (pairs, expected) in [
            (&[][..], "missing field `path`"),
            (&[("path", "a"), ("path", "b")], "given twice"),
            (&[("path", "a"), ("timeout_ms", "1.5")], "whole numbers"),
            (&[("path", "a"), ("env", "{}")], "`path`, `args` and `timeout_ms`"),
            (&[("path", "a"), ("args", "[1]")], "expected a string"),
        ] {
            let refusal = asked(pairs).unwrap_err();
            assert_eq!(refusal.code, Code::BadArg);
            assert!(refusal.message.contains(expected), "{refusal}");
        }
    }
}
