//! Servers that several lints show in their examples.

use super::{Scene, frame, http};
use crate::catalog::ListKind;
use crate::exchange::HttpExchange;
use crate::message::Frame;
use crate::probe::ProbeHttp;
use crate::protocol::Revision;
use serde_json::{Value, json};

/// A server of 2026-07-28 that lists these versions as supported.
pub(crate) fn discovered(versions: Value) -> Scene {
    Scene::at(Revision::V2026_07_28)
        .opened(json!({"supportedVersions": versions, "capabilities": {}}))
}

/// A server that lists one resource.
pub(crate) fn lists_resource(revision: Revision) -> Scene {
    Scene::at(revision).item(ListKind::Resources, json!({"uri": "notes://1", "name": "n"}))
}

/// A server that has printed that line while it answered a call.
pub(crate) fn printed(text: &str) -> Scene {
    let line = Frame {
        bytes: text.as_bytes().into(),
        value: serde_json::from_str(text).ok(),
        ..frame(&json!(0))
    };
    Scene::new().call("tool", json!({}), json!({"content": []})).stray(line)
}

/// A 401 with that challenge.
pub(crate) fn challenged(challenge: &str) -> HttpExchange {
    let mut refusal = http(401, "");
    refusal.headers.push(("WWW-Authenticate".to_owned(), challenge.to_owned()));
    refusal
}

/// Serves requests with the usual headers, and refuses others with that status.
pub(crate) fn odd_headers<const STATUS: u16>(request: &ProbeHttp) -> HttpExchange {
    if request.headers.is_empty() { http(200, r#"{"result":{}}"#) } else { http(STATUS, "") }
}

/// Serves requests with the usual headers, and refuses others with status 400 and that code.
pub(crate) fn odd_headers_code<const CODE: i64>(request: &ProbeHttp) -> HttpExchange {
    let refusal = json!({"error": {"code": CODE}}).to_string();
    if request.headers.is_empty() { http(200, r#"{"result":{}}"#) } else { http(400, &refusal) }
}

/// A server of 2026-07-28 that refuses every request of a probe with that code, and with that HTTP status the first of them.
pub(crate) fn refuses<const CODE: i64, const STATUS: u16>() -> Scene {
    Scene::at(Revision::V2026_07_28)
        .over_http()
        .answers(|_, _| super::error(CODE, "no"))
        .runs_changed(|run| run.steps[0].exchanges[0].http = Some(http(STATUS, "{}")))
}
