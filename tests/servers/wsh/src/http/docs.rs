//! Health, the `OpenAPI` description, and a page that shows it.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::{Html, IntoResponse};
use serde_json::{Value, json};

use crate::app::App;

const OPENAPI: &str = include_str!("../../openapi.yaml");

pub(crate) async fn health(State(app): State<Arc<App>>) -> Json<Value> {
    Json(
        json!({"status": "ok", "version": env!("CARGO_PKG_VERSION"), "sessions": app.sessions.all().len()}),
    )
}

pub(crate) async fn openapi() -> impl IntoResponse {
    ([(CONTENT_TYPE, "application/yaml")], OPENAPI)
}

/// The description itself, readable without anything from elsewhere.
pub(crate) async fn page() -> Html<String> {
    let escaped = OPENAPI.replace('&', "&amp;").replace('<', "&lt;");
    Html(format!(
        "<!doctype html><html lang=en><meta charset=utf-8><title>wsh API</title>\
         <style>body{{font:16px/1.5 sans-serif;margin:2rem auto;max-width:60rem;padding:0 1rem}}pre{{overflow:auto}}</style>\
         <h1>wsh API</h1><p>Terminal sessions over HTTP. The same sessions are served over MCP at <code>/mcp</code>. \
         Machine-readable: <a href=/openapi.yaml>openapi.yaml</a>.</p><pre>{escaped}</pre></html>"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_route_is_described() {
        let source = include_str!("mod.rs");
        let literals = source.split('"').skip(1).step_by(2);
        let routes: Vec<&str> =
            literals.filter(|text| text.starts_with('/') && *text != "/mcp").collect();
        let described: Vec<&str> = OPENAPI
            .lines()
            .filter_map(|line| line.strip_prefix("  /")?.strip_suffix(':'))
            .collect();
        assert!(routes.len() > 10);
        for route in &routes {
            assert!(described.contains(&&route[1..]), "{route} is not in openapi.yaml");
        }
        for path in described {
            assert!(
                routes.contains(&format!("/{path}").as_str()),
                "/{path} is described but not served"
            );
        }
    }
}
