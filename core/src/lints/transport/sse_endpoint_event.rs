//! `sse_endpoint_event`.

use crate::lints::look::{is_sse, shorten};
use crate::lints::meta::lint;
use crate::lints::probes::{endpoint_of, get, origin, path_of, responses, shared};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use crate::probe::Probe;

lint! {
    /// The event stream does not begin with the address for messages, or names a foreign one.
    ///
    /// Clients send nothing before it comes, and must not send messages to another host.
    SseEndpointEvent(Probe, Error) {}
    spec: "basic/transports#http-with-sse", fix: "Send an `endpoint` event with a path of the same origin first.", until: V2024_11_05
}

impl Lint for SseEndpointEvent {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        let url = endpoint_of(context).filter(|_| is_sse(context.input, context.server));
        let accept = [("Accept", Some("text/event-stream"))];
        let steps = |url: &str| vec![get(path_of(url), &accept, 1000)];
        url.map(|url| shared("the event stream of HTTP+SSE", steps(url))).into_iter().collect()
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        for (_, response) in responses(context).filter(|(_, r)| r.status == 200) {
            let Some(event) = response.events.first() else {
                continue;
            };
            let foreign = event.data.contains("://")
                && endpoint_of(context.list).and_then(origin) != origin(&event.data);
            if event.event != "endpoint" {
                problems.push(Problem::new(
                    "no endpoint event",
                    format!("the event stream began with an event of the type {:?}", event.event),
                ));
            } else if foreign {
                problems.push(Problem::new(
                    "foreign endpoint",
                    format!(
                        "the endpoint event names an address of another origin: {}",
                        shorten(&event.data, 120)
                    ),
                ));
            }
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::exchange::{HttpExchange, SseEvent};
    use crate::protocol::Revision;

    fn streams(answer: crate::lints::scene::AnswerHttp) -> Scene {
        Scene::at(Revision::V2024_11_05).over_sse().answers_http(answer)
    }
    fn event(event: &str, data: &str) -> HttpExchange {
        let events = vec![SseEvent {
            event: event.to_owned(),
            data: data.to_owned(),
            ..SseEvent::default()
        }];
        HttpExchange { status: 200, events, ..HttpExchange::default() }
    }
    Examples::of(&ENTRY)
        .flags("\"hello\"", streams(|_| event("hello", "{}")))
        .flags("another origin", streams(|_| event("endpoint", "http://evil.example/messages")))
        .passes(streams(|_| event("endpoint", "/messages?session=1")))
        .passes(streams(|_| event("endpoint", "http://127.0.0.1:8000/messages")))
}
