//! `http_get_sse_or_405`.

use crate::lints::look::is_streamable;
use crate::lints::meta::lint;
use crate::lints::probes::{bare, responses, shared};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, http},
};
use crate::probe::Probe;

lint! {
    /// GET is answered neither with an event stream nor with 405.
    ///
    /// Clients open a stream with GET to hear from the server; 405 tells them that there is none.
    HttpGetSseOr405(Probe, Error) {}
    spec: "basic/transports#listening-for-messages-from-the-server", fix: "Answer GET with `text/event-stream`, or with 405.", since: V2025_03_26, until: V2025_11_25
}

impl Lint for HttpGetSseOr405 {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        if !is_streamable(context.input, context.server) {
            return Vec::new();
        }
        let accept = [("Accept", Some("text/event-stream"))];
        vec![shared("a stand-alone stream", vec![bare("GET", &accept, 500)])]
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        for (_, response) in responses(context) {
            let kind = response.header("content-type").unwrap_or_default().to_ascii_lowercase();
            let fits = match response.status {
                200 => kind.starts_with("text/event-stream"),
                // 409: one stream is open already, the tester's own.
                405 | 409 => true,
                _ => false,
            };
            if !fits {
                let status = response.status;
                problems.push(Problem::new(
                    format!("status {status}"),
                    format!("GET was answered with status {status} and the content type {kind:?}"),
                ));
            }
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::message::Channel;

    let answers = |answer| Scene::new().over_http().answers_http(answer);
    // There POST and GET are at other addresses.
    let over_sse = answers(|_| http(404, "")).with_server(|server| {
        let opening = server.opening.as_mut().expect("opened");
        opening.frame.as_mut().expect("answered").channel = Channel::GetStream;
    });
    Examples::of(&ENTRY)
        .flags("status 404", answers(|_| http(404, "")))
        .flags("application/json", answers(|_| http(200, "{}")))
        .passes(answers(|_| http(405, "")))
        .passes(over_sse)
}
