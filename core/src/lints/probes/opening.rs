//! Probes that open sessions.

use super::{ask, unopened};
use crate::exchange::Exchange;
use crate::lints::ListContext;
use crate::probe::{Probe, ProbeRequest, ProbeStep};
use crate::protocol::{Era, Revision};
use crate::session::MetaOption;
use serde_json::{Value, json};

/// `initialize` for that version, as the first message of a connection.
pub(in crate::lints) fn initialize_probe(context: &ListContext<'_>, version: &str) -> Probe {
    let params = initialize_params(context, version);
    unopened(format!("initialize for {version}"), vec![ask("initialize", params)])
}

/// The parameters of the run's own `initialize`, with another version.
pub(in crate::lints) fn initialize_params(context: &ListContext<'_>, version: &str) -> Value {
    let own = context.server.opening.as_ref().filter(|opening| opening.method == "initialize");
    let own = |name: &str| own.and_then(|opening| opening.params.get(name)).cloned();
    json!({
        "protocolVersion": version,
        "capabilities": own("capabilities").unwrap_or_else(|| json!({})),
        "clientInfo": own("clientInfo").unwrap_or_else(|| json!({"name": "tooltest", "version": "0"})),
    })
}

/// `initialize` for the oldest version (or the newest, where the oldest is in use).
pub(in crate::lints) fn oldest_version_probe(context: &ListContext<'_>) -> Probe {
    let other = match context.revision {
        Revision::V2024_11_05 => Revision::NEWEST_LEGACY,
        _ => Revision::V2024_11_05,
    };
    initialize_probe(context, other.as_str())
}

/// `initialize` for a version that never was.
pub(in crate::lints) fn unknown_version_probe(context: &ListContext<'_>) -> Probe {
    initialize_probe(context, "1999-01-01")
}

/// The version that an `initialize` asked for.
pub(in crate::lints) fn asked_version(exchange: &Exchange) -> Option<&str> {
    exchange.params.get("protocolVersion")?.as_str()
}

/// The version that an `initialize` was answered with.
pub(in crate::lints) fn answered_version(exchange: &Exchange) -> Option<&str> {
    exchange.result()?.get("protocolVersion")?.as_str()
}

/// A connection that is watched before, during and after `initialize`, with a client capability that nobody knows. Step 0
/// listens, step 1 asks, step 2 listens.
pub(in crate::lints) fn watched_opening(context: &ListContext<'_>) -> Probe {
    let mut params = initialize_params(context, context.revision.as_str());
    params["capabilities"]["tooltest-unknown"] = json!({"flag": true});
    let steps = vec![ProbeStep::Listen(300), ask("initialize", params), ProbeStep::Listen(500)];
    unopened("an opening that is watched", steps)
}

/// `initialize` for the newest listed version that has a handshake, or for the newest there is; whether it was listed.
pub(in crate::lints) fn legacy_probe(context: &ListContext<'_>) -> (Probe, bool) {
    let listed = context
        .server
        .opening
        .as_ref()
        .and_then(|o| o.result()?.get("supportedVersions")?.as_array());
    let listed =
        listed.into_iter().flatten().filter_map(|version| Revision::parse(version.as_str()?));
    let newest = listed.filter(|revision| revision.era() == Era::Legacy).max();
    let version = newest.unwrap_or(Revision::NEWEST_LEGACY).as_str();
    let request = ProbeRequest {
        method: "initialize".to_owned(),
        params: initialize_params(context, version),
        meta: MetaOption::Omit,
        headers: ["MCP-Protocol-Version", "Mcp-Method", "Mcp-Name"]
            .map(|name| (name.to_owned(), None))
            .to_vec(),
        ..ProbeRequest::default()
    };
    let probe = unopened("initialize of an older client", vec![ProbeStep::Request(request)]);
    (probe, newest.is_some())
}
