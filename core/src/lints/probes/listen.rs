//! Probes of subscriptions.

use super::shared;
use crate::lints::ListContext;
use crate::lints::look::declares;
use crate::probe::{Probe, ProbeRequest, ProbeStep};
use serde_json::json;
use std::time::Duration;

/// How long a subscription is watched.
const LISTEN: Duration = Duration::from_millis(700);

/// A subscription to every list's changes, with the id 0, watched for a while and cancelled; nothing where the server
/// offers no notifications.
pub(in crate::lints) fn listen_probes(context: &ListContext<'_>) -> Vec<Probe> {
    let offers = [
        "tools/listChanged",
        "prompts/listChanged",
        "resources/listChanged",
        "resources/subscribe",
    ];
    if !offers.iter().any(|capability| declares(context.server, capability)) {
        return Vec::new();
    }
    let filter =
        json!({"toolsListChanged": true, "promptsListChanged": true, "resourcesListChanged": true});
    let request = ProbeRequest {
        method: "subscriptions/listen".to_owned(),
        params: json!({ "notifications": filter }),
        id: Some(json!(0)),
        timeout: Some(LISTEN),
        ..ProbeRequest::default()
    };
    vec![shared("a subscription", vec![ProbeStep::Request(request)])]
}
