//! `jsonrpc_version_field`.

use crate::lints::look::{frames, show};
use crate::lints::meta::lint;
use crate::lints::noise::noise;
use crate::lints::{Lint, Problem, ResponseContext};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, frame},
};
use crate::pointer::Members;
use serde_json::Value;

lint! {
    /// A message does not say `"jsonrpc": "2.0"`.
    ///
    /// Clients that check it drop the message, and the request that it answers hangs.
    JsonrpcVersionField(Response, Error) {}
    spec: "basic/index#messages", fix: "Put `\"jsonrpc\": \"2.0\"` (a string) into every message."
}

impl Lint for JsonrpcVersionField {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        let mut messages = frames(context).filter(|frame| noise(frame).is_none());
        let wrong =
            messages.find_map(|frame| match frame.value.as_ref()?.as_object()?.member("jsonrpc") {
                Some(Value::String(version)) if version == "2.0" => None,
                Some(other) => Some((frame, format!("is {}", show(other)))),
                None => Some((frame, "is missing".to_owned())),
            });
        if let Some((frame, what)) = wrong {
            problems.push(
                Problem::new(what.clone(), format!("jsonrpc {what}, where \"2.0\" is due"))
                    .evidence(frame.preview(400)),
            );
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use serde_json::json;

    let answer = |message| {
        Scene::new()
            .call("tool", json!({}), json!({"content": []}))
            .with_exchange(|e| e.frame = Some(frame(&message)))
    };
    Examples::of(&ENTRY)
        .flags("is missing", answer(json!({"id": 1, "result": {}})))
        .flags("is \"1.0\"", answer(json!({"jsonrpc": "1.0", "id": 1, "result": {}})))
        .flags("is 2.0", answer(json!({"jsonrpc": 2.0, "id": 1, "result": {}})))
        .passes(answer(json!({"jsonrpc": "2.0", "id": 1, "result": {}})))
}
