//! `http_sse_no_broadcast`.

use crate::lints::look::frames;
use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, ResponseContext};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, frame},
};
use crate::message::Channel;

lint! {
    /// The same message comes on two streams.
    ///
    /// The client acts on it twice.
    HttpSseNoBroadcast(Response, Warning) {}
    spec: "basic/transports#multiple-connections", fix: "Send each message on one stream only.", since: V2025_03_26, until: V2025_11_25
}

impl Lint for HttpSseNoBroadcast {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        let on = |channel| frames(context).filter(move |frame| frame.channel == channel);
        let twice = on(Channel::GetStream).find(|frame| {
            frame.method().is_some()
                && on(Channel::PostStream).any(|other| other.bytes == frame.bytes)
        });
        if let Some(frame) = twice {
            let method = frame.method().unwrap_or_default();
            problems.push(Problem::new(
                format!("{method} twice"),
                format!("the same {method} came on the stream that GET opened and on the one that answers a POST"),
            ));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::exchange::Reply;
    use crate::message::Frame;
    use serde_json::json;

    let on = |channel| Frame {
        channel,
        ..frame(&json!({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"}))
    };
    let asked = || {
        Scene::new().over_http().asked("tools/list", json!({}), Reply::Result(json!({"tools": []})))
    };
    Examples::of(&ENTRY)
        .flags(
            "the same notifications/tools/list_changed",
            asked().stray(on(Channel::GetStream)).stray(on(Channel::PostStream)),
        )
        .passes(asked().stray(on(Channel::GetStream)))
}
