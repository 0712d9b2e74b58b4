//! `http_sse_format`.

use crate::lints::look::{event_stream, shorten};
use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, ResponseContext};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use serde_json::Value;

lint! {
    /// A message comes as an event of a type that clients do not listen for.
    ///
    /// Readers of event streams hand on events of the type `message`, which is the one without a name, and skip all others.
    HttpSseFormat(Response, Error) {}
    spec: "basic/transports#sending-messages-to-the-server", fix: "Leave the `event` field out, or set it to `message`.", since: V2025_03_26
}

impl Lint for HttpSseFormat {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        let events = event_stream(context).into_iter().flat_map(|http| &http.events);
        let odd = events.into_iter().find(|event| {
            !matches!(event.event.as_str(), "" | "message")
                && serde_json::from_str::<Value>(&event.data)
                    .is_ok_and(|data| data.get("jsonrpc").is_some())
        });
        if let Some(event) = odd {
            problems.push(Problem::new(
                format!("event {}", event.event),
                format!(
                    "a message came as an event of the type {:?}: {}",
                    event.event,
                    shorten(&event.data, 80)
                ),
            ));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::exchange::SseEvent;

    let streamed = |kind: &str| {
        Scene::new().streamed(vec![SseEvent {
            event: kind.to_owned(),
            data: r#"{"jsonrpc":"2.0","id":1,"result":{}}"#.to_owned(),
            ..SseEvent::default()
        }])
    };
    Examples::of(&ENTRY)
        .flags("of the type \"response\"", streamed("response"))
        .passes(streamed("message"))
        .passes(streamed(""))
}
