//! `list_changed_needs_capability`.

use crate::lints::look::{declares, notifications};
use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, ResponseContext};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, frame},
};

lint! {
    /// The server sent a notification that belongs to a capability which it does not declare.
    ///
    /// Clients that were told nothing of the capability do not listen for it.
    ListChangedNeedsCapability(Response, Error) {}
    spec: "basic/lifecycle#operation", fix: "Declare the capability, or do not send the notification."
}

impl Lint for ListChangedNeedsCapability {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        for (method, _) in notifications(context) {
            let needed = match method {
                "notifications/tools/list_changed" => "tools/listChanged",
                "notifications/prompts/list_changed" => "prompts/listChanged",
                "notifications/resources/list_changed" => "resources/listChanged",
                "notifications/resources/updated" => "resources/subscribe",
                "notifications/message" => "logging",
                _ => continue,
            };
            if !declares(context.server, needed) {
                let name = needed.replace('/', ".");
                let problem = Problem::new(
                    format!("{method} without {name}"),
                    format!("the server sent {method} but does not declare {name}"),
                );
                // The rule for log messages is as strict, but the Python SDK sends them without a word about the capability:
                // whatever tool logs through it breaks the rule, and no client minds.
                let logs = method == "notifications/message";
                problems.push(if logs { problem.warning() } else { problem });
                return;
            }
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use serde_json::json;

    let sends = |method: &str| {
        Scene::new()
            .call("tool", json!({}), json!({"content": []}))
            .stray(frame(&json!({"jsonrpc": "2.0", "method": method})))
    };
    Examples::of(&ENTRY)
        .flags("tools.listChanged", sends("notifications/tools/list_changed"))
        .flags("logging", sends("notifications/message"))
        .passes(
            sends("notifications/tools/list_changed")
                .capabilities(json!({"tools": {"listChanged": true}})),
        )
        .passes(sends("notifications/progress"))
}
