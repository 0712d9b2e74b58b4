//! `progress_token_known`.

use crate::lints::look::{member, notifications, other_frames, show};
use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, ResponseContext};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, frame},
};
use crate::pointer::Members;
use serde_json::Value;

lint! {
    /// The server reports progress for a token that no request had.
    ///
    /// Progress belongs to a request that asked for it; anything else is lost or shown in the wrong place.
    ProgressTokenKnown(Response, Error) {}
    spec: "basic/utilities/progress", fix: "Report progress only for requests with a `progressToken`, and send that token back as it came."
}

impl Lint for ProgressTokenKnown {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        // Of calls sent together, one's progress may come in with another.
        if context.step.is_some_and(|step| step.group.is_some()) {
            return;
        }
        if other_frames(context).next().is_none() {
            return;
        }
        let own = token_of(&context.exchange.params);
        let earlier: Vec<&Value> =
            context.history.iter().filter_map(|(_, exchange)| token_of(&exchange.params)).collect();
        for (_, message) in
            notifications(context).filter(|(method, _)| *method == "notifications/progress")
        {
            let Some(token) = member(message, "params").member("progressToken") else {
                continue;
            };
            let issued = matches!((token.as_u64(), context.exchange.id.as_u64()), (Some(token), Some(id)) if token <= id);
            if Some(token) != own && !earlier.contains(&token) && !(issued && own.is_some()) {
                problems.push(Problem::new(
                    if own.is_some() { "unknown token" } else { "progress unasked" },
                    format!(
                        "progress was reported for the token {}, which no request had",
                        show(token)
                    ),
                ));
                return;
            }
        }
    }
}

fn token_of(params: &Value) -> Option<&Value> {
    params.member("_meta")?.member("progressToken")
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::exchange::Reply;
    use serde_json::json;

    let call = |meta: Value, token: Value| {
        let note = json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progressToken": token, "progress": 1}});
        Scene::new()
            .asked("tools/call", json!({"_meta": meta}), Reply::Result(json!({"content": []})))
            .stray(frame(&note))
    };
    Examples::of(&ENTRY)
        .flags("the token \"x\"", call(json!({"progressToken": 1}), json!("x")))
        .flags("the token 5", call(json!({}), json!(5)))
        .passes(call(json!({"progressToken": "abc"}), json!("abc")))
}
