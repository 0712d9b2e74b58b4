//! `http_sse_no_event_ids`.

use crate::lints::look::event_stream;
use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, ResponseContext};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};

lint! {
    /// Events carry ids, though streams cannot be resumed.
    ///
    /// This revision has dropped resumption; ids are of no use.
    HttpSseNoEventIds(Response, Disabled) {}
    spec: "basic/transports/streamable-http#receiving-messages", fix: "Leave the `id` field out.", since: V2026_07_28
}

impl Lint for HttpSseNoEventIds {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        let events = event_stream(context).into_iter().flat_map(|http| &http.events);
        if let Some(id) = events.into_iter().find_map(|event| event.id.as_ref()) {
            problems.push(Problem::new("id", format!("an event has the id {id:?}")));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::exchange::SseEvent;
    use crate::protocol::Revision;

    let event = |id: Option<&str>| SseEvent { id: id.map(str::to_owned), ..SseEvent::default() };
    let modern = |event| Scene::at(Revision::V2026_07_28).streamed(vec![event]);
    Examples::of(&ENTRY)
        .flags("has the id \"7\"", modern(event(Some("7"))))
        .passes(modern(event(None)))
}
