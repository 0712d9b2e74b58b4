//! The opening of the revisions with a handshake: `initialize`, then `notifications/initialized`.

use super::RequestOptions;
use super::open::{ServerIdentity, opening_result};
use super::wire::Session;
use crate::exchange::Exchange;
use crate::protocol::{Era, Revision};
use crate::transport::OpenError;
use serde_json::{Value, json};

/// Offers the session's revision and takes the one that the server answers with.
pub(super) fn open(session: &mut Session) -> Result<(), OpenError> {
    let offered = session.revision;
    let params = json!({
        "protocolVersion": offered.as_str(),
        "capabilities": session.options.client_capabilities,
        "clientInfo": session.options.client_info,
    });
    let timeout = Some(session.options.startup_timeout);
    let exchange = session.request_with(
        "initialize",
        params,
        &RequestOptions { timeout, ..Default::default() },
    );
    let result = opening_result(session, &exchange)?;
    let answered = result.get("protocolVersion").and_then(Value::as_str).map(str::to_owned);
    let known = answered
        .as_deref()
        .and_then(Revision::parse)
        .filter(|revision| revision.era() == Era::Legacy);
    // A version that does not exist is a finding for the lints; the session goes on with the one that was offered.
    session.revision = known.unwrap_or(offered);
    let info = result.get("serverInfo").unwrap_or(&Value::Null);
    session.server = ServerIdentity::new(info, result, answered, exchange.clone());
    agree(session, &exchange);
    session.notify("notifications/initialized", Value::Null);
    if session.options.listen && session.revision >= Revision::V2025_03_26 {
        session.listen();
    }
    Ok(())
}

/// Over HTTP, takes the session's id, and sends the version with what follows.
fn agree(session: &mut Session, exchange: &Exchange) {
    let revision = session.revision;
    let Some(http) = session.transport.http() else { return };
    let response = exchange.http.as_ref();
    let id = response.and_then(|response| response.header("mcp-session-id")).map(str::to_owned);
    http.agree(id, revision.has_version_header().then_some(revision.as_str()));
    http.resumable = revision == Revision::V2025_11_25;
}
