//! The HTTP side: the API, its documentation, and MCP at `/mcp`, in one application.

mod api;
mod docs;
mod guard;
mod reply;
mod watch;

use std::sync::Arc;

use axum::Router;
use axum::middleware::from_fn_with_state;
use axum::routing::{delete, get, post};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use tokio_util::sync::CancellationToken;

use crate::app::App;
use crate::bugs;
use crate::mcp::Wsh;

/// All routes over one state. `end` closes streams and MCP sessions. The guard refuses foreign pages and, if there is
/// a token, requests without it.
pub(crate) fn routes(app: &Arc<App>, end: &CancellationToken) -> Router {
    let mcp = StreamableHttpService::new(
        {
            let app = Arc::clone(app);
            move || Ok(Wsh::new(Arc::clone(&app)))
        },
        Arc::new(LocalSessionManager::default()),
        // The guard in front of everything checks Host and Origin, for the API as well.
        StreamableHttpServerConfig::default()
            .disable_allowed_hosts()
            .with_cancellation_token(end.clone()),
    );
    Router::new()
        .merge(bugs::wire::over_http(Router::new().nest_service("/mcp", mcp)))
        .merge(api(end).with_state(Arc::clone(app)))
        .layer(from_fn_with_state(Arc::clone(app), guard::guard))
}

fn api(end: &CancellationToken) -> Router<Arc<App>> {
    Router::new()
        .route("/health", get(docs::health))
        .route("/openapi.yaml", get(docs::openapi))
        .route("/docs", get(docs::page))
        .route("/sessions", get(api::list).post(api::create))
        .route("/sessions/{name}", get(api::show).patch(api::rename).delete(api::kill))
        .route("/sessions/{name}/detach", post(api::detach))
        .route("/sessions/{name}/input", post(api::input))
        .route("/sessions/{name}/run", post(api::run))
        .route("/sessions/{name}/screen", get(api::screen))
        .route("/sessions/{name}/scrollback", get(api::scrollback))
        .route("/sessions/{name}/quiesce", get(api::quiesce))
        .route(
            "/sessions/{name}/overlay",
            get(api::overlays).post(api::overlay).delete(api::remove_overlays),
        )
        .route("/sessions/{name}/overlay/{id}", delete(api::remove_overlay))
        .route(
            "/sessions/{name}/panel",
            get(api::panels).post(api::panel).delete(api::remove_panels),
        )
        .route("/sessions/{name}/panel/{id}", delete(api::remove_panel))
        .route("/sessions/{name}/input-mode", get(api::input_mode).post(api::set_input_mode))
        .route("/sessions/{name}/screen-mode", get(api::screen_mode).post(api::set_screen_mode))
        .route("/sessions/{name}/watch", get(watch::watch))
        .layer(axum::Extension(end.clone()))
}
