//! `http_sse_retry_field`.

use crate::exchange::SseEvent;
use crate::lints::look::event_stream;
use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, ResponseContext};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use serde_json::Value;

lint! {
    /// A connection is closed before the response, without saying when to come back.
    ///
    /// Clients then wait as long as they like, or ask again at once.
    HttpSseRetryField(Response, Disabled) {}
    spec: "basic/transports#sending-messages-to-the-server", fix: "Send an event with a `retry` field before the connection is closed.", since: V2025_11_25, until: V2025_11_25
}

impl Lint for HttpSseRetryField {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        let Some(http) = event_stream(context).filter(|http| http.ended) else {
            return;
        };
        let carries = |event: &SseEvent| {
            let data = serde_json::from_str::<Value>(&event.data).unwrap_or_default();
            data.get("result").or_else(|| data.get("error")).is_some()
        };
        let resumable = http.events.iter().any(|event| event.id.is_some());
        let silent = http.events.iter().all(|event| event.retry.is_none());
        if resumable && silent && !http.events.iter().any(carries) {
            problems.push(Problem::new(
                "no retry",
                "an event stream was closed before the response, without a `retry` field",
            ));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    let primed = |retry| SseEvent { id: Some("1".to_owned()), retry, ..SseEvent::default() };
    Examples::of(&ENTRY)
        .flags("without a `retry` field", Scene::new().streamed(vec![primed(None)]))
        .passes(Scene::new().streamed(vec![primed(Some(500))]))
}
