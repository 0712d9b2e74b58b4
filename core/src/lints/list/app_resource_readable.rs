//! `app_resource_readable`.

use super::item::tools;
use crate::exchange::{Exchange, Reply};
use crate::lints::meta::lint;
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use crate::probe::{Probe, ProbeRequest, ProbeSession, ProbeStep};
use serde_json::{Value, json};
use std::collections::BTreeSet;

lint! {
    /// A tool's user interface cannot be read as an app.
    ///
    /// Hosts of the Apps extension read the resource and show it. One that is missing, empty or of another MIME type leaves the tool without its interface.
    AppResourceReadable(Probe, Warning) {}
    spec: "SEP-1865", fix: "Serve the resource that `_meta.ui.resourceUri` names with MIME type `text/html;profile=mcp-app` and its HTML as `text` or `blob`.", since: V2025_11_25
}

/// How many interfaces are read.
const MOST: usize = 20;

impl Lint for AppResourceReadable {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        let uri = |tool: &Value| {
            let meta = tool.get("_meta")?;
            let uri = meta
                .get("ui")
                .and_then(|ui| ui.get("resourceUri"))
                .or_else(|| meta.get("ui/resourceUri"))?
                .as_str()?;
            uri.starts_with("ui://").then(|| uri.to_owned())
        };
        let uris: BTreeSet<String> =
            tools(context.catalog).filter_map(|tool| uri(tool.raw)).collect();
        let read = |uri: String| {
            let method = "resources/read".to_owned();
            let step = ProbeStep::Request(ProbeRequest {
                method,
                params: json!({ "uri": uri }),
                ..ProbeRequest::default()
            });
            Probe { name: format!("read {uri}"), session: ProbeSession::Shared, steps: vec![step] }
        };
        uris.into_iter().take(MOST).map(read).collect()
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        for exchange in context.runs.iter().filter_map(|run| run.steps.first()?.exchanges.first()) {
            let uri = exchange.params.get("uri").and_then(Value::as_str).unwrap_or_default();
            if let Some(wrong) = fault(exchange) {
                problems.push(Problem::new(
                    format!("interface {uri}"),
                    format!("the interface {uri} {wrong}"),
                ));
            }
        }
    }
}

fn fault(exchange: &Exchange) -> Option<String> {
    let result = match &exchange.reply {
        Reply::Result(result) => result,
        Reply::Error(error) => return Some(format!("cannot be read: {}", error.message)),
        // Other lints tell of servers that do not answer.
        _ => return None,
    };
    let contents = result.get("contents")?.as_array()?;
    let Some(first) = contents.first() else {
        return Some("has no contents".to_owned());
    };
    let has_body = ["text", "blob"]
        .iter()
        .any(|name| first.get(*name).and_then(Value::as_str).is_some_and(|body| !body.is_empty()));
    if !has_body {
        return Some("is empty".to_owned());
    }
    let mime = first.get("mimeType").and_then(Value::as_str).unwrap_or_default();
    let bare: String =
        mime.to_ascii_lowercase().chars().filter(|c| !c.is_whitespace() && *c != '"').collect();
    (bare != "text/html;profile=mcp-app")
        .then(|| format!("has the MIME type {mime:?}, not \"text/html;profile=mcp-app\""))
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::lints::scene::error;
    let scene = || {
        Scene::new().tool(json!({"name": "a", "_meta": {"ui": {"resourceUri": "ui://a/app.html"}}}))
    };
    let good = |_: &str, _: &Value| {
        Reply::Result(
            json!({"contents": [{"uri": "ui://a/app.html", "mimeType": "text/html; profile=\"mcp-app\"", "text": "<p>"}]}),
        )
    };
    Examples::of(&ENTRY)
        .flags(
            "the interface ui://a/app.html cannot be read: Resource not found",
            scene().answers(|_, _| error(-32602, "Resource not found")),
        )
        .flags(
            "has the MIME type \"text/html\"",
            scene().answers(|_, _| {
                Reply::Result(json!({"contents": [{"mimeType": "text/html", "text": "<p>"}]}))
            }),
        )
        .flags(
            "is empty",
            scene().answers(|_, _| {
                Reply::Result(
                    json!({"contents": [{"mimeType": "text/html;profile=mcp-app", "text": ""}]}),
                )
            }),
        )
        .flags("has no contents", scene().answers(|_, _| Reply::Result(json!({"contents": []}))))
        .passes(scene().answers(good))
        .passes(scene().answers(|_, _| Reply::Silence { responsive: true }))
        .passes(
            Scene::new()
                .tool(json!({"name": "a"}))
                .answers(|_, _| error(-32602, "Resource not found")),
        )
}
