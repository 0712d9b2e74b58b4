//! `http_sse_no_response_on_get`.

use crate::lints::look::{frames, is_streamable, shorten};
use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, ResponseContext};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, frame},
};
use crate::message::{Channel, FrameKind};

lint! {
    /// A response comes on the stand-alone stream.
    ///
    /// That stream is for messages of the server's own; the response belongs to the request's.
    HttpSseNoResponseOnGet(Response, Error) {}
    spec: "basic/transports#listening-for-messages-from-the-server", fix: "Send responses as the answer to the POST that carried the request.", since: V2025_03_26, until: V2025_11_25
}

impl Lint for HttpSseNoResponseOnGet {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        if !is_streamable(context.input, context.server) {
            return;
        }
        let misplaced = frames(context).find(|frame| {
            frame.channel == Channel::GetStream
                && matches!(frame.kind(), FrameKind::Result | FrameKind::Error)
        });
        if let Some(frame) = misplaced {
            problems.push(Problem::new(
                "response",
                format!(
                    "a response came on the stream that GET opened: {}",
                    shorten(&frame.preview(200), 80)
                ),
            ));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::exchange::Reply;
    use crate::message::Frame;
    use serde_json::json;

    let on = |channel| {
        Scene::new()
            .over_http()
            .asked("tools/list", json!({}), Reply::Result(json!({"tools": []})))
            .stray(Frame { channel, ..frame(&json!({"jsonrpc": "2.0", "id": 1, "result": {}})) })
    };
    Examples::of(&ENTRY)
        .flags("on the stream that GET opened", on(Channel::GetStream))
        .passes(on(Channel::PostStream))
}
