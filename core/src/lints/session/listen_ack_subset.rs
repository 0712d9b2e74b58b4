//! `listen_ack_subset`.

use crate::lints::look::declares;
use crate::lints::meta::lint;
use crate::lints::probes::{asked, listen_probes};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{frame, listens},
};
use crate::probe::Probe;
use serde_json::json;

lint! {
    /// A subscription is acknowledged for more than was asked for, or for more than the server offers.
    ///
    /// The client waits for notifications that do not come, or gets some that it did not want.
    ListenAckSubset(Probe, Error) {}
    spec: "basic/patterns/subscriptions#acknowledgment", fix: "Acknowledge what was asked for and is supported, and leave out the rest.", since: V2026_07_28
}

impl Lint for ListenAckSubset {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        listen_probes(context)
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        for (_, exchange) in asked(context) {
            let ack = exchange
                .side
                .iter()
                .find(|frame| frame.method() == Some("notifications/subscriptions/acknowledged"));
            let granted = ack.and_then(|frame| {
                frame.value.as_ref()?.pointer("/params/notifications")?.as_object()
            });
            for (name, value) in granted.into_iter().flatten() {
                if *value == json!(false) || *value == json!([]) {
                    continue;
                }
                let asked = exchange.params.pointer(&format!("/notifications/{name}")).is_some();
                let offered = match name.as_str() {
                    "toolsListChanged" => declares(context.list.server, "tools/listChanged"),
                    "promptsListChanged" => declares(context.list.server, "prompts/listChanged"),
                    "resourcesListChanged" => {
                        declares(context.list.server, "resources/listChanged")
                    }
                    _ => true,
                };
                if !asked || !offered {
                    let what = if asked {
                        "which the server does not offer"
                    } else {
                        "which was not asked for"
                    };
                    problems.push(Problem::new(
                        format!("{name} {what}"),
                        format!("the acknowledgement grants {name}, {what}"),
                    ));
                    return;
                }
            }
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    Examples::of(&ENTRY)
    .flags("promptsListChanged, which the server does not offer", listens().runs_changed(|run| {
        let params = json!({"notifications": {"toolsListChanged": true, "promptsListChanged": true}});
        run.steps[0].exchanges[0].side.push(frame(&json!({"method": "notifications/subscriptions/acknowledged", "params": params})));
    }))
    .passes(listens().runs_changed(|run| {
        let params = json!({"notifications": {"toolsListChanged": true}});
        run.steps[0].exchanges[0].side.push(frame(&json!({"method": "notifications/subscriptions/acknowledged", "params": params})));
    }))
}
