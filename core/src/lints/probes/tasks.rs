//! Probes of tasks.

use crate::lints::ListContext;
use crate::lints::look::{CLIENT_CAPABILITIES, TASKS_EXTENSION};
use crate::probe::{ProbeRequest, ProbeStep};
use crate::session::MetaOption;
use serde_json::{Value, json};

/// Whether the server declares the tasks extension.
pub(in crate::lints) fn offers_tasks(context: &ListContext<'_>) -> bool {
    let extensions = context.server.capabilities.get("extensions");
    extensions.is_some_and(|extensions| extensions.get(TASKS_EXTENSION).is_some())
}

/// A request that declares the tasks extension.
pub(in crate::lints) fn with_tasks(
    context: &ListContext<'_>,
    method: &str,
    params: Value,
) -> ProbeStep {
    let own = context
        .server
        .opening
        .as_ref()
        .and_then(|o| o.params.get("_meta")?.get(CLIENT_CAPABILITIES));
    let mut capabilities = own.cloned().unwrap_or_else(|| json!({}));
    capabilities["extensions"][TASKS_EXTENSION] = json!({});
    ProbeStep::Request(ProbeRequest {
        method: method.to_owned(),
        params,
        meta: MetaOption::Patch(json!({CLIENT_CAPABILITIES: capabilities})),
        ..ProbeRequest::default()
    })
}
