//! `response_id_unknown`.

use crate::lints::look::{other_frames, show};
use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, ResponseContext};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, error, frame},
};
use crate::message::{Frame, FrameKind};
use serde_json::Value;

lint! {
    /// An answer carries an id that no request had.
    ///
    /// Nobody waits for it, and the request that it was meant for hangs. Often the id was changed from a number to a string
    /// on its way through the server.
    ResponseIdUnknown(Response, Error) {}
    spec: "basic/index#responses", fix: "Send back the request's id as it came, same type and same value."
}

impl Lint for ResponseIdUnknown {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        let asked = &context.exchange.id;
        // An answer with another id that was taken for this request's, since no other was waiting.
        let own = context.exchange.frame.as_ref();
        let mistaken = own.and_then(|frame| Some((frame, other_id(frame, asked)?)));
        let unknown = other_frames(context).find_map(|frame| {
            Some((frame, other_id(frame, asked).filter(|id| !was_or_is_asked(id, asked))?))
        });
        let Some((frame, id)) = mistaken.or(unknown) else {
            return;
        };
        let problem = if is_retyped(id, asked) {
            let message =
                format!("the answer to id {asked} carries {id}: the id's type was changed");
            Problem::new("id of another type", message)
        } else {
            Problem::new(
                "unknown id",
                format!("an answer carries id {}, which no request had", show(id)),
            )
        };
        // The official SDK for Python gives every refusal of its HTTP layer an id of its own; no client waits for those.
        let refused = context.exchange.http.as_ref().is_some_and(|http| http.status >= 400);
        let own_id = refused && frame.kind() == FrameKind::Error && !is_retyped(id, asked);
        let problem = problem.evidence(frame.preview(400));
        problems.push(if own_id { problem.warning() } else { problem });
    }
}

/// The id of an answer, if it is not the one asked.
fn other_id<'a>(frame: &'a Frame, asked: &Value) -> Option<&'a Value> {
    let is_answer = matches!(frame.kind(), FrameKind::Result | FrameKind::Error);
    frame.id().filter(|id| is_answer && !id.is_null() && *id != asked)
}

/// Ids of earlier requests are second or late answers; of requests sent together, later ones may be answered first.
fn was_or_is_asked(id: &Value, asked: &Value) -> bool {
    match (id.as_u64(), asked.as_u64()) {
        (Some(id), Some(asked)) => id > 0 && id < asked + 64,
        _ => false,
    }
}

/// `"1"` for `1`, or `1.0`.
fn is_retyped(id: &Value, asked: &Value) -> bool {
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    text(id) == text(asked) || (id.is_f64() && id.as_f64() == asked.as_f64())
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use serde_json::json;

    let answer = |id| {
        Scene::new()
            .asked("ping", json!({}), error(-32603, "x"))
            .stray(frame(&json!({"jsonrpc": "2.0", "id": id, "result": {}})))
    };
    Examples::of(&ENTRY)
        .flags("the id's type was changed", answer(json!("1")))
        .flags("which no request had", answer(json!("abc")))
        .passes(answer(json!(1)))
        .passes(answer(json!(null)))
}
