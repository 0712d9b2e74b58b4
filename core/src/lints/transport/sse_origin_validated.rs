//! `sse_origin_validated`.

use crate::exchange::HttpExchange;
use crate::lints::look::is_sse;
use crate::lints::meta::lint;
use crate::lints::probes::{endpoint_of, get, path_of, responses, shared};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, http},
};
use crate::probe::Probe;

lint! {
    /// An event stream is opened for a foreign web page.
    ///
    /// Any page that the user opens can then talk to the server (DNS rebinding).
    SseOriginValidated(Probe, Warning) {}
    spec: "basic/transports#http-with-sse", fix: "Check the `Origin` header and answer 403 where it is not one of your own.", until: V2024_11_05
}

impl Lint for SseOriginValidated {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        let url = endpoint_of(context).filter(|_| is_sse(context.input, context.server));
        let headers =
            [("Accept", Some("text/event-stream")), ("Origin", Some("http://evil.example"))];
        let steps = |url: &str| vec![get(path_of(url), &headers, 1000)];
        url.map(|url| shared("a foreign origin of an event stream", steps(url)))
            .into_iter()
            .collect()
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        let opened = |response: &HttpExchange| {
            response.status == 200 && response.events.iter().any(|event| event.event == "endpoint")
        };
        if responses(context).any(|(_, response)| opened(response)) {
            problems.push(Problem::new(
                "opened",
                "an event stream was opened for the Origin http://evil.example",
            ));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::exchange::SseEvent;
    use crate::protocol::Revision;

    fn streams(answer: crate::lints::scene::AnswerHttp) -> Scene {
        Scene::at(Revision::V2024_11_05).over_sse().answers_http(answer)
    }
    Examples::of(&ENTRY)
        .flags(
            "http://evil.example",
            streams(|_| {
                let events = vec![SseEvent {
                    event: "endpoint".to_owned(),
                    data: "/m".to_owned(),
                    ..SseEvent::default()
                }];
                HttpExchange { status: 200, events, ..HttpExchange::default() }
            }),
        )
        .passes(streams(|_| http(403, "")))
}
