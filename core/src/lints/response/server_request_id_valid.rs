//! `server_request_id_valid`.

use crate::lints::look::{other_frames, show};
use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, ResponseContext};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, frame},
};
use crate::message::FrameKind;

lint! {
    /// A request of the server has no usable id: not a string or an integer, or one that another of its requests had.
    ///
    /// The client's answer cannot be told from others, and the tool that waits for it hangs.
    ServerRequestIdValid(Response, Error) {}
    spec: "basic/index#requests", fix: "Give each request of the server an id of its own, a string or an integer.", until: V2025_11_25
}

impl Lint for ServerRequestIdValid {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        let mut seen = Vec::new();
        for frame in other_frames(context).filter(|frame| frame.kind() == FrameKind::Request) {
            let (Some(id), method) = (frame.id(), frame.method().unwrap_or_default()) else {
                continue;
            };
            if !(id.is_string() || id.is_i64() || id.is_u64()) {
                problems.push(Problem::new(
                    "ill-typed id",
                    format!("the server's request {method} has the id {}", show(id)),
                ));
            } else if seen.contains(&id) {
                problems.push(Problem::new(
                    "repeated id",
                    format!("two requests of the server have the id {}", show(id)),
                ));
            }
            seen.push(id);
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use serde_json::json;

    let ask = |id| frame(&json!({"jsonrpc": "2.0", "id": id, "method": "roots/list"}));
    let call = || Scene::new().call("tool", json!({}), json!({"content": []}));
    Examples::of(&ENTRY)
        .flags("has the id null", call().stray(ask(json!(null))))
        .flags("two requests", call().stray(ask(json!(7))).stray(ask(json!(7))))
        .passes(call().stray(ask(json!(7))).stray(ask(json!("8"))))
}
