//! `cancel_server_scope`.

use crate::lints::look::{member, notifications};
use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, ResponseContext};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, frame},
};
use crate::pointer::Members;

lint! {
    /// The server cancelled something other than a subscription.
    ///
    /// In this revision a server sends `notifications/cancelled` only to end a `subscriptions/listen`.
    CancelServerScope(Response, Error) {}
    spec: "basic/patterns/cancellation", fix: "Answer the request with an error instead.", since: V2026_07_28
}

impl Lint for CancelServerScope {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        let exchange = context.exchange;
        let own = notifications(context).any(|(method, message)| {
            method == "notifications/cancelled"
                && member(message, "params").member("requestId") == Some(&exchange.id)
        });
        if own && exchange.method != "subscriptions/listen" {
            problems.push(Problem::new(
                "cancelled by the server",
                format!("the server sent notifications/cancelled for {}", exchange.method),
            ));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::exchange::Reply;
    use crate::protocol::Revision;
    use serde_json::json;

    let asked = |method: &str| {
        let note = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}});
        Scene::at(Revision::V2026_07_28)
            .asked(method, json!({}), Reply::Silence { responsive: true })
            .stray(frame(&note))
    };
    Examples::of(&ENTRY)
        .flags("for tools/call", asked("tools/call"))
        .passes(asked("subscriptions/listen"))
}
