//! `http_sse_priming_event`.

use crate::lints::look::event_stream;
use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, ResponseContext};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};

lint! {
    /// An event stream does not begin with an event that has an id and no data.
    ///
    /// With that id a client can ask for the rest when the connection breaks early.
    HttpSsePrimingEvent(Response, Disabled) {}
    spec: "basic/transports#sending-messages-to-the-server", fix: "Send an event with an id and empty data first.", since: V2025_11_25, until: V2025_11_25
}

impl Lint for HttpSsePrimingEvent {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        let first = event_stream(context).and_then(|http| http.events.first());
        if first.is_some_and(|event| event.id.is_none() || !event.data.is_empty()) {
            problems.push(Problem::new(
                "not primed",
                "an event stream does not begin with an event that has an id and no data",
            ));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::exchange::SseEvent;

    let event = |id: Option<&str>, data: &str| SseEvent {
        id: id.map(str::to_owned),
        data: data.to_owned(),
        ..SseEvent::default()
    };
    Examples::of(&ENTRY)
        .flags("does not begin", Scene::new().streamed(vec![event(None, "{}")]))
        .passes(Scene::new().streamed(vec![event(Some("1"), ""), event(Some("2"), "{}")]))
}
