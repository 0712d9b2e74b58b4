//! Bugs below the SDK: messages are changed on their way out.

use axum::Router;
use tokio_util::sync::CancellationToken;

/// The MCP service, with its answers changed if a bug says so.
pub(crate) fn over_http(service: Router) -> Router {
    service
}

/// Standard input and output, with answers changed if a bug says so.
pub(crate) fn stdio(_end: &CancellationToken) -> (tokio::io::Stdin, tokio::io::Stdout) {
    rmcp::transport::stdio()
}
