//! `jsonrpc_message_kind`.

use crate::lints::look::frames;
use crate::lints::meta::lint;
use crate::lints::noise::{Noise, noise};
use crate::lints::{Lint, Problem, ResponseContext};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, error, frame},
};
use crate::message::{Anomaly, Channel, Frame, FrameKind};
use crate::protocol::Revision;
use serde_json::json;

lint! {
    /// A message is not exactly one of request, notification, result and error.
    ///
    /// A message with both `result` and `error`, or with neither, has no meaning; clients drop it, and the request hangs.
    JsonrpcMessageKind(Response, Error) {}
    spec: "basic/index#responses", fix: "Answer with `result` or `error`, never both; send single messages, not arrays."
}

impl Lint for JsonrpcMessageKind {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        let wrong =
            frames(context).find_map(|frame| Some((frame, fault(frame, context.revision)?)));
        if let Some((frame, what)) = wrong {
            let problem =
                Problem::new(what, format!("the server sent {what}")).evidence(frame.preview(400));
            // The TypeScript SDK 1.x repeats its first, empty event so when a stream is resumed.
            let empty = frame.channel != Channel::Line && frame.value == Some(json!({}));
            problems.push(if empty { problem.warning() } else { problem });
        }
    }
}

fn fault(frame: &Frame, revision: Revision) -> Option<&'static str> {
    if frame.anomalies.contains(&Anomaly::Batch) && !revision.has_batches() {
        return Some("an array of messages, which this revision does not have");
    }
    match noise(frame) {
        Some(Noise::OtherJson) if frame.channel != Channel::Line => {
            return Some("JSON that is no JSON-RPC message");
        }
        Some(_) => return None,
        None => {}
    }
    if frame.kind() == FrameKind::Result && frame.id().is_none() {
        return Some("a result without an id");
    }
    if frame.kind() != FrameKind::Invalid {
        return None;
    }
    let has = |name: &str| frame.value.as_ref().is_some_and(|value| value.get(name).is_some());
    Some(match (has("method"), has("result"), has("error")) {
        (true, _, _) => "a message with `method` and an answer in one",
        (_, true, true) => "a message with both `result` and `error`",
        (_, false, false) if frame.value.is_some() => {
            "a message with neither `method`, `result` nor `error`"
        }
        _ => return None,
    })
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::message::{Anomaly, Frame};
    use crate::protocol::Revision;
    use serde_json::json;

    let stray = |revision, frame| {
        Scene::at(revision).asked("ping", json!({}), error(-32603, "x")).stray(frame)
    };
    let batch = || Frame {
        anomalies: vec![Anomaly::Batch],
        ..frame(&json!({"jsonrpc": "2.0", "id": 1, "result": {}}))
    };
    let current = Revision::V2025_11_25;
    Examples::of(&ENTRY)
        .flags(
            "both `result` and `error`",
            stray(current, frame(&json!({"jsonrpc": "2.0", "id": 1, "result": {}, "error": {}}))),
        )
        .flags("neither", stray(current, frame(&json!({"jsonrpc": "2.0", "id": 1}))))
        .flags("without an id", stray(current, frame(&json!({"jsonrpc": "2.0", "result": {}}))))
        .flags("an array of messages", stray(current, batch()))
        .passes(stray(Revision::V2025_03_26, batch()))
        .passes(stray(current, frame(&json!({"jsonrpc": "2.0", "method": "notifications/x"}))))
}
