//! `error_id_null`.

use crate::lints::look::frames;
use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, ResponseContext};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, error, frame},
};
use crate::message::FrameKind;
use serde_json::Value;

lint! {
    /// An error carries `"id": null`.
    ///
    /// `null` is no id in this protocol: where a request's id could not be read, `id` is left out. Typed clients refuse it.
    ErrorIdNull(Response, Warning) {}
    spec: "basic/index#error-responses", fix: "Leave `id` out of an error whose request could not be read."
}

impl Lint for ErrorIdNull {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        let null = frames(context)
            .find(|frame| frame.kind() == FrameKind::Error && frame.id() == Some(&Value::Null));
        if let Some(frame) = null {
            problems.push(
                Problem::new("null id", "an error carries `\"id\": null`")
                    .evidence(frame.preview(400)),
            );
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use serde_json::json;

    let answer =
        |message| Scene::new().asked("ping", json!({}), error(-32603, "x")).stray(frame(&message));
    let body = json!({"code": -32700, "message": "Parse error"});
    Examples::of(&ENTRY)
        .flags("null", answer(json!({"jsonrpc": "2.0", "id": null, "error": body})))
        .passes(answer(json!({"jsonrpc": "2.0", "error": body})))
}
