//! The routes of the HTTP side: MCP at `/mcp`, and what is merged beside it, all behind the guard.

use super::guard::{self, Guard, MAX_BODY};
use super::leaving;
use super::server::Server;
use crate::runner;
use axum::Router;
use axum::middleware::{from_fn, from_fn_with_state};
use rmcp::transport::streamable_http_server::session::local::{LocalSessionManager, SessionConfig};
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use std::sync::Arc;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// How long a session without a message is kept. A run without a progress token sends none.
const SESSION_KEPT: Duration = Duration::from_secs(3600);

/// All routes. `end` closes streams and sessions.
pub(super) fn routes(server: &Server, guard: Arc<Guard>, end: &CancellationToken) -> Router {
    Router::new()
        .merge(mcp(server, end))
        .merge(runner::routes(server.runner().cloned()))
        .layer(from_fn_with_state(guard, guard::check))
}

fn mcp(server: &Server, end: &CancellationToken) -> Router {
    let server = server.clone();
    let mut session = SessionConfig::default();
    session.keep_alive = Some(SESSION_KEPT);
    let mut sessions = LocalSessionManager::default();
    sessions.session_config = session;
    let config = StreamableHttpServerConfig::default()
        // The guard in front of everything checks Host and Origin.
        .disable_allowed_hosts()
        .with_max_request_body_bytes(MAX_BODY)
        .with_cancellation_token(end.clone());
    let service =
        StreamableHttpService::new(move || Ok(server.clone()), Arc::new(sessions), config);
    Router::new().route_service("/mcp", service).layer(from_fn(leaving::watch))
}
