//! Who may talk to the HTTP side: no page of another site, with a token only those who have it, and nobody for longer or with more
//! than a request needs. Every route stands behind it.

use axum::Json;
use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::header::{AUTHORIZATION, CONTENT_LENGTH, HOST, ORIGIN, WWW_AUTHENTICATE};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use serde_json::json;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;
use subtle::ConstantTimeEq as _;

/// The longest request body, in bytes.
pub(crate) const MAX_BODY: usize = 1024 * 1024;
/// How long a request body may take to arrive.
const BODY_TIME: Duration = Duration::from_secs(30);

/// What requests are checked against.
pub(crate) struct Guard {
    token: Option<String>,
}

impl Guard {
    /// A guard for a server that listens at `bind`.
    ///
    /// # Errors
    /// A sentence where that would let strangers in: any address but this machine's own needs a token.
    pub(crate) fn new(token: Option<String>, bind: SocketAddr) -> Result<Self, String> {
        let token = token.filter(|token| !token.is_empty());
        if token.is_none() && !bind.ip().is_loopback() {
            return Err(format!(
                "--bind {bind} can be reached from other machines, and that needs a token"
            ));
        }
        Ok(Self { token })
    }

    fn judge(&self, headers: &HeaderMap) -> Result<(), Response> {
        if let Some(token) = &self.token {
            if !has_token(headers, token) {
                let mut response = refuse(StatusCode::UNAUTHORIZED, "a bearer token is needed");
                response.headers_mut().insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
                return Err(response);
            }
        } else if !text(headers, &HOST).is_some_and(is_loopback) {
            // A foreign name that resolves to this machine is how a web page gets around the Origin check.
            return Err(refuse(StatusCode::FORBIDDEN, "this Host is not served"));
        }
        if headers.contains_key(ORIGIN) && !is_own_origin(headers) {
            return Err(refuse(StatusCode::FORBIDDEN, "this Origin is not allowed"));
        }
        Ok(())
    }
}

/// Lets a request through with its whole body, or answers it.
pub(crate) async fn check(
    State(guard): State<Arc<Guard>>,
    request: Request,
    next: Next,
) -> Response {
    if let Err(refusal) = guard.judge(request.headers()) {
        return refusal;
    }
    let (head, body) = request.into_parts();
    let too_large = || {
        refuse(StatusCode::PAYLOAD_TOO_LARGE, &format!("the body is longer than {MAX_BODY} bytes"))
    };
    let declared = text(&head.headers, &CONTENT_LENGTH).and_then(|length| length.parse().ok());
    if declared.is_some_and(|length: u64| length > MAX_BODY as u64) {
        return too_large();
    }
    match tokio::time::timeout(BODY_TIME, to_bytes(body, MAX_BODY)).await {
        Ok(Ok(bytes)) => next.run(Request::from_parts(head, Body::from(bytes))).await,
        Ok(Err(error)) if is_limit(&error) => too_large(),
        Ok(Err(_)) => refuse(StatusCode::BAD_REQUEST, "the body did not arrive whole"),
        Err(_) => refuse(StatusCode::REQUEST_TIMEOUT, "the body took too long to arrive"),
    }
}

fn is_limit(error: &axum::Error) -> bool {
    std::error::Error::source(error).is_some_and(|cause| cause.to_string().contains("length limit"))
}

/// An answer that says why there is no other.
pub(crate) fn refuse(status: StatusCode, why: &str) -> Response {
    (status, Json(json!({ "error": why }))).into_response()
}

fn text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()
}

/// Compares in a time that does not depend on where the two differ.
fn has_token(headers: &HeaderMap, token: &str) -> bool {
    let given = text(headers, &AUTHORIZATION).and_then(|value| value.split_once(' '));
    let given = given.filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"));
    given.is_some_and(|(_, given)| bool::from(given.trim().as_bytes().ct_eq(token.as_bytes())))
}

/// Whether a page with this Origin was served by this machine, or by the very address that is asked.
fn is_own_origin(headers: &HeaderMap) -> bool {
    let authority = text(headers, &ORIGIN)
        .and_then(|origin| origin.split_once("://"))
        .filter(|(scheme, _)| matches!(*scheme, "http" | "https"))
        .map(|(_, authority)| authority);
    authority
        .is_some_and(|authority| is_loopback(authority) || text(headers, &HOST) == Some(authority))
}

/// Whether `host`, with or without a port, is this machine.
fn is_loopback(host: &str) -> bool {
    let (name, port) = match host.strip_prefix('[') {
        Some(rest) => match rest.split_once(']') {
            Some((name, port)) => (name, port.strip_prefix(':').unwrap_or(port)),
            None => return false,
        },
        None => host.split_once(':').unwrap_or((host, "")),
    };
    let is_port = port.bytes().all(|byte| byte.is_ascii_digit());
    is_port
        && (name.eq_ignore_ascii_case("localhost")
            || name.parse::<IpAddr>().is_ok_and(|address| address.is_loopback()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(list: &[(HeaderName, &str)]) -> HeaderMap {
        list.iter().map(|(name, value)| (name.clone(), value.parse().unwrap())).collect()
    }

    #[test]
    fn only_this_machine_counts_as_loopback() {
        for host in
            ["localhost", "LOCALHOST:80", "127.0.0.1:7681", "[::1]:80", "[::1]", "127.8.0.1"]
        {
            assert!(is_loopback(host), "{host}");
        }
        for host in [
            "",
            "example.com",
            "127.0.0.1.example.com",
            "[::2]",
            "[::1",
            "localhost.evil:80",
            "10.0.0.1",
            "localhost:80@evil.example",
        ] {
            assert!(!is_loopback(host), "{host}");
        }
    }

    #[test]
    fn pages_of_other_sites_are_refused() {
        let allowed =
            |origin: &str, host: &str| is_own_origin(&headers(&[(ORIGIN, origin), (HOST, host)]));
        assert!(allowed("http://localhost:3000", "127.0.0.1:80"));
        assert!(allowed("https://tests.example", "tests.example"));
        for origin in ["http://evil.example", "null", "file://localhost", "localhost", ""] {
            assert!(!allowed(origin, "127.0.0.1:80"), "{origin}");
        }
    }

    #[test]
    fn the_token_must_match_entirely() {
        let check = |value: &str| has_token(&headers(&[(AUTHORIZATION, value)]), "secret");
        assert!(check("Bearer secret") && check("bearer secret"));
        for bad in
            ["Bearer secre", "Bearer secrets", "Bearer ", "secret", "Basic secret", "Bearer Secret"]
        {
            assert!(!check(bad), "{bad}");
        }
        assert!(!has_token(&HeaderMap::new(), "secret"));
    }

    #[test]
    fn addresses_that_others_reach_need_a_token() {
        let open: SocketAddr = "0.0.0.0:80".parse().unwrap();
        assert!(Guard::new(None, open).is_err() && Guard::new(Some(String::new()), open).is_err());
        assert!(Guard::new(Some("secret".to_owned()), open).is_ok());
        assert!(Guard::new(None, "[::1]:80".parse().unwrap()).is_ok());
    }

    #[test]
    fn without_a_token_the_host_must_be_this_machine() {
        let guard = Guard::new(None, "127.0.0.1:80".parse().unwrap()).unwrap();
        let status = |host| guard.judge(&headers(&[(HOST, host)])).map_err(|r| r.status());
        assert!(status("127.0.0.1:80").is_ok());
        assert_eq!(status("rebound.example").unwrap_err(), StatusCode::FORBIDDEN);
    }
}
