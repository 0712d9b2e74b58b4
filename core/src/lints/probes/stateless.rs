//! Probes of the stateless lifecycle (2026-07-28).

use super::{ask, harmless, rough, unopened};
use crate::lints::ListContext;
use crate::probe::{Probe, ProbeRequest, ProbeStep};
use crate::session::MetaOption;
use serde_json::{Value, json};

/// A list as the first request of a connection.
pub(in crate::lints) fn fresh_list_probe(context: &ListContext<'_>) -> Probe {
    let (method, params) = harmless(context);
    unopened("a list as the first request", vec![ask(method, params)])
}

/// What the requests of [`meta_missing_probe`] lack, in order.
pub(in crate::lints) const META_MISSING: [&str; 4] =
    ["_meta", "protocolVersion in _meta", "clientCapabilities in _meta", "_meta"];

/// Requests that lack what every request must carry; see [`META_MISSING`].
pub(in crate::lints) fn meta_missing_probe(context: &ListContext<'_>) -> Probe {
    let (method, params) = harmless(context);
    let without =
        |name: &str| MetaOption::Patch(json!({format!("io.modelcontextprotocol/{name}"): null}));
    let request = |method: &str, params: &Value, meta: MetaOption| {
        let (method, params) = (method.to_owned(), params.clone());
        ProbeStep::Request(ProbeRequest { method, params, meta, ..ProbeRequest::default() })
    };
    rough(
        "requests without their _meta",
        vec![
            request(method, &params, MetaOption::Omit),
            request(method, &params, without("protocolVersion")),
            request(method, &params, without("clientCapabilities")),
            request("server/discover", &json!({}), MetaOption::Omit),
        ],
    )
}

/// `server/discover` and another request for a version that never was, as the first messages of a connection.
pub(in crate::lints) fn unsupported_version_probe(context: &ListContext<'_>) -> Probe {
    let (method, params) = harmless(context);
    let steps = vec![
        of_no_version("server/discover", json!({})),
        of_no_version(method, params),
        ProbeStep::Fence,
    ];
    unopened("requests for a version that never was", steps)
}

/// A request for a version that never was, in the middle of a session.
pub(in crate::lints) fn later_unsupported_version_probe(context: &ListContext<'_>) -> Probe {
    let (method, params) = harmless(context);
    rough("a later request for a version that never was", vec![of_no_version(method, params)])
}

fn of_no_version(method: &str, params: Value) -> ProbeStep {
    let version = "1900-01-01";
    ProbeStep::Request(ProbeRequest {
        method: method.to_owned(),
        params,
        meta: MetaOption::Patch(json!({"io.modelcontextprotocol/protocolVersion": version})),
        headers: vec![("MCP-Protocol-Version".to_owned(), Some(version.to_owned()))],
        ..ProbeRequest::default()
    })
}
