//! `resource_updated_only_subscribed`.

use crate::case::Action;
use crate::lints::look::{member, notifications, show};
use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, ResponseContext};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, frame},
};

lint! {
    /// The server reports changes of a resource that nobody subscribed to.
    ///
    /// Clients that did not subscribe do not expect the notification and read the resource for nothing.
    ResourceUpdatedOnlySubscribed(Response, Warning) {}
    spec: "server/resources#subscriptions", fix: "Send `notifications/resources/updated` to subscribers only."
}

impl Lint for ResourceUpdatedOnlySubscribed {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        // Outside of cases, probes subscribe.
        let Some(step) = context.step else {
            return;
        };
        let subscribes = |action: &Action| matches!(action, Action::Request { method, .. } if method.contains("subscri"));
        let earlier = context.history.iter().any(|(step, _)| subscribes(&step.action));
        if earlier || subscribes(&step.action) {
            return;
        }
        let updated =
            notifications(context).find(|(method, _)| *method == "notifications/resources/updated");
        if let Some((_, message)) = updated {
            let uri = show(member(member(message, "params"), "uri"));
            problems.push(Problem::new(
                "update without subscription",
                format!("an update of {uri} was reported, and nothing was subscribed to"),
            ));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use serde_json::json;

    let call = |method: &str| {
        let note = json!({"jsonrpc": "2.0", "method": method, "params": {"uri": "notes://1"}});
        Scene::new().call("tool", json!({}), json!({"content": []})).stray(frame(&note))
    };
    Examples::of(&ENTRY)
        .flags("an update of \"notes://1\"", call("notifications/resources/updated"))
        .passes(call("notifications/resources/list_changed"))
}
