//! `response_unique`.

use crate::lints::look::other_frames;
use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, ResponseContext};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, frame},
};
use crate::message::{Frame, FrameKind};
use serde_json::Value;

lint! {
    /// A request was answered twice.
    ///
    /// Clients take the first answer, or the last, or give up on the connection.
    ResponseUnique(Response, Error) {}
    spec: "JSON-RPC 2.0 section 5", fix: "Send one answer for each request."
}

impl Lint for ResponseUnique {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        let grouped = context.step.is_some_and(|step| step.group.is_some());
        let asked = &context.exchange.id;
        let second = other_frames(context).find(|frame| is_second(frame, asked, grouped));
        if let Some(frame) = second {
            let id = frame.id().unwrap_or(&Value::Null);
            let message = format!("the request with id {id} was answered a second time");
            let mut problem = Problem::new("second answer", message).evidence(frame.preview(400));
            let earlier = context.history.iter().position(|(_, exchange)| exchange.id == *id);
            if let Some(earlier) = earlier {
                problem.tool = context.history[earlier].0.action.tool().map(str::to_owned);
                problem.involved = vec![earlier];
            }
            problems.push(problem);
        }
    }
}

fn is_second(frame: &Frame, asked: &Value, grouped: bool) -> bool {
    if !matches!(frame.kind(), FrameKind::Result | FrameKind::Error) {
        return false;
    }
    let Some(id) = frame.id() else {
        return false;
    };
    let earlier =
        matches!((id.as_u64(), asked.as_u64()), (Some(id), Some(asked)) if id < asked && id > 0);
    id == asked || (earlier && !grouped)
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use serde_json::json;

    let again = |id| {
        Scene::new()
            .call("tool", json!({}), json!({"content": []}))
            .stray(frame(&json!({"jsonrpc": "2.0", "id": id, "result": {"content": []}})))
    };
    Examples::of(&ENTRY)
        .flags("id 1 was answered a second time", again(json!(1)))
        .passes(again(json!("other")))
}
