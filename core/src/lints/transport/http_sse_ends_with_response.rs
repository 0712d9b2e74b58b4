//! `http_sse_ends_with_response`.

use crate::exchange::Reply;
use crate::lints::look::event_stream;
use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, ResponseContext};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};

lint! {
    /// An event stream ends before it has carried the response.
    ///
    /// The client waits in vain, and takes the call for lost.
    HttpSseEndsWithResponse(Response, Warning) {}
    spec: "basic/transports#sending-messages-to-the-server", fix: "Send the response before the stream is closed.", since: V2025_03_26
}

impl Lint for HttpSseEndsWithResponse {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        let exchange = context.exchange;
        let answered =
            matches!(exchange.reply, Reply::Result(_) | Reply::Error(_) | Reply::Silence { .. });
        let Some(http) = event_stream(context).filter(|http| http.ended && !answered) else {
            return;
        };
        let events = http.events.len();
        problems.push(Problem::new(
            "no response",
            format!(
                "the event stream that answers {} ended after {events} events without the response",
                exchange.method
            ),
        ));
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use serde_json::json;

    let ended =
        |reply| Scene::new().streamed(Vec::new()).with_exchange(|exchange| exchange.reply = reply);
    Examples::of(&ENTRY)
        .flags(
            "ended after 0 events",
            ended(Reply::Malformed("HTTP 200 without an answer".to_owned())),
        )
        .passes(ended(Reply::Result(json!({}))))
}
