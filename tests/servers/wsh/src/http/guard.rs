//! Who may talk to the server: no pages of other sites, and with a token only those who have it.

use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header::{AUTHORIZATION, HOST, ORIGIN, WWW_AUTHENTICATE};
use axum::http::{HeaderMap, HeaderName, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::reply::Problem;
use crate::app::App;

/// Paths that need no token: they tell nothing about sessions.
const OPEN: [&str; 3] = ["/health", "/docs", "/openapi.yaml"];

/// Lets a request through or answers it with 401 or 403.
pub(crate) async fn guard(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let headers = request.headers();
    if let Some(token) = &app.config.token {
        if !OPEN.contains(&request.uri().path()) && !has_token(headers, token) {
            let mut response =
                Problem::new(StatusCode::UNAUTHORIZED, "a bearer token is needed").into_response();
            response.headers_mut().insert(WWW_AUTHENTICATE, "Bearer".parse().expect("plain ASCII"));
            return response;
        }
    } else if !text(headers, &HOST).is_some_and(is_loopback) {
        return Problem::new(StatusCode::FORBIDDEN, "this Host is not served").into_response();
    }
    // A web page must not reach a shell on the machine of the person who looks at it.
    if headers.contains_key(ORIGIN) && !text(headers, &ORIGIN).is_some_and(is_loopback_origin) {
        return Problem::new(StatusCode::FORBIDDEN, "this Origin is not allowed").into_response();
    }
    next.run(request).await
}

fn text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()
}

fn has_token(headers: &HeaderMap, token: &str) -> bool {
    let given = text(headers, &AUTHORIZATION)
        .and_then(|value| value.strip_prefix("Bearer "))
        .unwrap_or_default();
    // Every byte is looked at, so that the time tells nothing about the token.
    let differing = given.bytes().zip(token.bytes()).fold(0, |seen, (a, b)| seen | (a ^ b));
    given.len() == token.len() && differing == 0
}

fn is_loopback_origin(origin: &str) -> bool {
    origin
        .split_once("://")
        .is_some_and(|(scheme, host)| scheme.starts_with("http") && is_loopback(host))
}

/// Whether `host`, with or without a port, is this machine.
fn is_loopback(host: &str) -> bool {
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => host.split(':').next().unwrap_or_default(),
    };
    name == "localhost" || name.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_this_machine_counts_as_loopback() {
        for host in ["localhost", "localhost:80", "127.0.0.1:7681", "[::1]:80", "127.8.0.1"] {
            assert!(is_loopback(host), "{host}");
        }
        for host in
            ["", "example.com", "127.0.0.1.example.com", "[::2]", "localhost.evil:80", "10.0.0.1"]
        {
            assert!(!is_loopback(host), "{host}");
        }
        assert!(is_loopback_origin("http://localhost:3000"));
        assert!(!is_loopback_origin("null") && !is_loopback_origin("file://localhost"));
    }

    #[test]
    fn the_token_must_match_entirely() {
        let check = |value: &str| {
            let headers = HeaderMap::from_iter([(AUTHORIZATION, value.parse().unwrap())]);
            has_token(&headers, "secret")
        };
        assert!(check("Bearer secret"));
        for bad in
            ["Bearer secre", "Bearer secrets", "Bearer ", "secret", "Basic secret", "Bearer Secret"]
        {
            assert!(!check(bad), "{bad}");
        }
        assert!(!has_token(&HeaderMap::new(), "secret"));
    }
}
