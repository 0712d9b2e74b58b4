//! `progress_stops`.

use crate::exchange::Reply;
use crate::lints::look::{member, other_frames, show};
use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, ResponseContext};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, frame},
};
use crate::message::Frame;
use crate::pointer::Members;
use serde_json::Value;

lint! {
    /// The server reports progress of a request that it has answered.
    ///
    /// The client has forgotten the token by then, or uses it again.
    ProgressStops(Response, Error) {}
    spec: "basic/utilities/progress", fix: "Stop reporting before the answer is sent."
}

impl Lint for ProgressStops {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        if other_frames(context).next().is_none() {
            return;
        }
        let answered: Vec<&Value> = context
            .history
            .iter()
            .filter(|(step, exchange)| {
                // A call that timed out has not been answered.
                step.group.is_none() && !matches!(exchange.reply, Reply::Silence { .. })
            })
            .filter_map(|(_, exchange)| exchange.params.member("_meta")?.member("progressToken"))
            .collect();
        let own =
            context.exchange.params.member("_meta").and_then(|meta| meta.member("progressToken"));
        let late = other_frames(context)
            .filter_map(token)
            .find(|token| Some(*token) != own && answered.contains(token));
        if let Some(token) = late {
            problems.push(Problem::new(
                "late progress",
                format!(
                    "progress was reported for the token {} after its request had been answered",
                    show(token)
                ),
            ));
        }
    }
}

fn token(frame: &Frame) -> Option<&Value> {
    if frame.method() != Some("notifications/progress") {
        return None;
    }
    member(frame.value.as_ref()?, "params").member("progressToken")
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use serde_json::json;

    let call = |token: Value| {
        let note = json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progressToken": token, "progress": 1}});
        let mut scene = Scene::new()
            .after("tool", json!({}), json!({"content": []}))
            .asked(
                "tools/call",
                json!({"_meta": {"progressToken": 2}}),
                Reply::Result(json!({"content": []})),
            )
            .stray(frame(&note));
        scene.first().params = json!({"_meta": {"progressToken": 1}});
        scene
    };
    let mut unanswered = call(json!(1));
    unanswered.first().reply = Reply::Silence { responsive: true };
    Examples::of(&ENTRY)
        .flags("after its request had been answered", call(json!(1)))
        .passes(call(json!(2)))
        .passes(unanswered)
}
