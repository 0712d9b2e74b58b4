//! `wire_json_valid`.

use crate::lints::look::{frames, shorten};
use crate::lints::meta::lint;
use crate::lints::noise::{Noise, noise};
use crate::lints::{Lint, Problem, ResponseContext};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, error, frame},
};

lint! {
    /// The server sent bytes that are no JSON, or not UTF-8, where a message is due.
    ///
    /// Clients drop such a message or end the connection; the call that it answers hangs. Text on standard output that was
    /// never meant as a message is `stdio_stdout_clean`; messages spread over several lines are `stdio_framing`.
    WireJsonValid(Response, Error) {}
    spec: "basic/transports", fix: "Write every message with a JSON encoder, as UTF-8, whole or not at all."
}

impl Lint for WireJsonValid {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        let fault = frames(context).find_map(|frame| match noise(frame) {
            Some(Noise::NotUtf8) => Some((frame, "not UTF-8")),
            Some(Noise::BrokenJson) => Some((frame, "not JSON")),
            _ => None,
        });
        if let Some((frame, what)) = fault {
            let shown = shorten(&frame.preview(200), 120);
            problems.push(
                Problem::new(what, format!("the server sent a message that is {what}: {shown}"))
                    .evidence(frame.preview(1000)),
            );
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::message::{Anomaly, Frame};
    use serde_json::json;

    let bytes = |bytes: &[u8], anomalies| Frame {
        bytes: bytes.into(),
        value: None,
        anomalies,
        ..frame(&json!(0))
    };
    let asked = || Scene::new().asked("tools/list", json!({}), error(-32603, "x"));
    Examples::of(&ENTRY)
        .flags(
            "not JSON",
            asked().stray(bytes(br#"{"jsonrpc": "2.0", "id": 1, "result": NaN}"#, vec![])),
        )
        .flags(
            "not UTF-8",
            asked().stray(bytes(b"{\"id\":\"\xff\"}", vec![Anomaly::NotUtf8 { offset: 7 }])),
        )
        .passes(asked().stray(bytes(b"Server ready", vec![])))
}
