//! Who may talk to the HTTP side: no page of another site, with a token only those who have it, and nobody for longer or with more
//! than a request needs. Every route stands behind it, and the guarded runner records whom it turns away.

use crate::runner::{Attempt, Code, Refusal, Runner, pages};
use axum::Json;
use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::header::{AUTHORIZATION, CONTENT_LENGTH, HOST, ORIGIN, WWW_AUTHENTICATE};
use axum::http::request::Parts;
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
    runner: Option<Arc<Runner>>,
}

/// The address that a request came from; every connection puts its own into its requests.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Peer(pub(crate) SocketAddr);

/// A request that no route gets to see.
#[derive(Debug)]
struct TurnedAway {
    status: StatusCode,
    refusal: Refusal,
}

impl TurnedAway {
    fn new(status: StatusCode, code: Code, why: impl Into<String>) -> Self {
        Self { status, refusal: Refusal::new(code, why) }
    }
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
        Ok(Self { token, runner: None })
    }

    /// The guard, with a runner whose audit log gets whom it turns away.
    pub(crate) fn recording(self, runner: Option<Arc<Runner>>) -> Self {
        Self { runner, ..self }
    }

    fn judge(&self, headers: &HeaderMap) -> Result<(), TurnedAway> {
        let forbidden =
            |why: &str| Err(TurnedAway::new(StatusCode::FORBIDDEN, Code::Forbidden, why));
        if let Some(token) = &self.token {
            if !has_token(headers, token) {
                return Err(TurnedAway::new(
                    StatusCode::UNAUTHORIZED,
                    Code::Forbidden,
                    "a bearer token is needed; requests with `Authorization: Bearer …` and the right token are allowed",
                ));
            }
        } else if !text(headers, &HOST).is_some_and(is_loopback) {
            // A foreign name that resolves to this machine is how a web page gets around the Origin check.
            return forbidden(
                "this Host is not served; allowed are localhost and the addresses of this machine alone",
            );
        }
        if headers.contains_key(ORIGIN) && !is_own_origin(headers) {
            return forbidden("this Origin is not allowed; allowed are pages of this machine");
        }
        Ok(())
    }

    /// The request with its whole body.
    async fn admit(&self, head: &Parts, body: Body) -> Result<Body, TurnedAway> {
        self.judge(&head.headers)?;
        let too_large = || {
            let why = format!("the body is too long; at most {MAX_BODY} bytes are allowed");
            TurnedAway::new(StatusCode::PAYLOAD_TOO_LARGE, Code::BadArg, why)
        };
        let declared = text(&head.headers, &CONTENT_LENGTH).and_then(|length| length.parse().ok());
        if declared.is_some_and(|length: u64| length > MAX_BODY as u64) {
            return Err(too_large());
        }
        match tokio::time::timeout(BODY_TIME, to_bytes(body, MAX_BODY)).await {
            Ok(Ok(bytes)) => Ok(Body::from(bytes)),
            Ok(Err(error)) if is_limit(&error) => Err(too_large()),
            Ok(Err(_)) => Err(TurnedAway::new(
                StatusCode::BAD_REQUEST,
                Code::BadArg,
                "the body did not arrive whole",
            )),
            Err(_) => Err(TurnedAway::new(
                StatusCode::REQUEST_TIMEOUT,
                Code::Timeout,
                format!("the body took too long to arrive; {} s are allowed", BODY_TIME.as_secs()),
            )),
        }
    }

    /// Answers a request that is turned away, once that is on record.
    async fn turn_away(&self, head: &Parts, away: TurnedAway) -> Response {
        let peer = head.extensions.get::<Peer>().map(|peer| peer.0);
        let asked = format!("{} {}", head.method, head.uri.path());
        self.record(asked, peer, away.refusal.clone()).await;
        if away.status != StatusCode::UNAUTHORIZED {
            return refuse(away.status, &away.refusal);
        }
        let mut response =
            pages::sign_in(head).unwrap_or_else(|| refuse(away.status, &away.refusal));
        response.headers_mut().insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        response
    }

    /// Puts something that was turned away on record, where there is a runner. It is turned away in any case.
    pub(super) async fn record(&self, asked: String, peer: Option<SocketAddr>, refusal: Refusal) {
        let Some(runner) = &self.runner else { return };
        let requester = peer.map(|address| address.to_string());
        let attempt = Attempt { tool: "http", path: asked, args: Vec::new(), requester };
        runner.refused(attempt, refusal).await;
    }
}

/// Lets a request through with its whole body, or answers it.
pub(crate) async fn check(
    State(guard): State<Arc<Guard>>,
    request: Request,
    next: Next,
) -> Response {
    let (head, body) = request.into_parts();
    match guard.admit(&head, body).await {
        Ok(body) => next.run(Request::from_parts(head, body)).await,
        Err(away) => guard.turn_away(&head, away).await,
    }
}

fn is_limit(error: &axum::Error) -> bool {
    std::error::Error::source(error).is_some_and(|cause| cause.to_string().contains("length limit"))
}

/// An answer that says why there is no other.
pub(crate) fn refuse(status: StatusCode, refusal: &Refusal) -> Response {
    (status, Json(json!({ "error": refusal }))).into_response()
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
        let status = |host| guard.judge(&headers(&[(HOST, host)])).map_err(|away| away.status);
        assert!(status("127.0.0.1:80").is_ok());
        assert_eq!(status("rebound.example").unwrap_err(), StatusCode::FORBIDDEN);
    }
}
