//! `sse_messages_on_stream`.

use crate::lints::look::is_sse;
use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, ResponseContext};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use crate::message::Channel;

lint! {
    /// A response does not come on the event stream.
    ///
    /// Clients of this transport read answers there alone; a POST is acknowledged, no more.
    SseMessagesOnStream(Response, Error) {}
    spec: "basic/transports#http-with-sse", fix: "Answer POST with 202 and send the response as a `message` event.", until: V2024_11_05
}

impl Lint for SseMessagesOnStream {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        let exchange = context.exchange;
        let elsewhere = exchange.frame.as_ref().filter(|frame| frame.channel != Channel::GetStream);
        if is_sse(context.input, context.server) && elsewhere.is_some() {
            problems.push(Problem::new(
                "in the POST",
                format!("the response to {} came in the body of its POST", exchange.method),
            ));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::exchange::Reply;
    use crate::protocol::Revision;
    use serde_json::json;

    let answered = |channel| {
        Scene::at(Revision::V2024_11_05)
            .over_sse()
            .asked("tools/list", json!({}), Reply::Result(json!({"tools": []})))
            .with_exchange(|exchange| exchange.frame.as_mut().expect("answered").channel = channel)
    };
    Examples::of(&ENTRY)
        .flags("in the body of its POST", answered(Channel::HttpBody))
        .passes(answered(Channel::GetStream))
}
