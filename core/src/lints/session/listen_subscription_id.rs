//! `listen_subscription_id`.

use crate::lints::look::show;
use crate::lints::meta::lint;
use crate::lints::probes::{asked, listen_probes};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{frame, listens},
};
use crate::message::FrameKind;
use crate::probe::Probe;

lint! {
    /// A message of a subscription does not carry the subscription's id.
    ///
    /// Clients with several subscriptions cannot tell which one a message belongs to. The id is that of the request, with
    /// its type; 0 is an id like any other.
    ListenSubscriptionId(Probe, Error) {}
    spec: "basic/patterns/subscriptions#receiving-notifications", fix: "Put the request's id into `_meta[\"io.modelcontextprotocol/subscriptionId\"]` of every message.", since: V2026_07_28
}

impl Lint for ListenSubscriptionId {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        listen_probes(context)
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        for (_, exchange) in asked(context) {
            for frame in
                exchange.side.iter().filter(|frame| frame.kind() == FrameKind::Notification)
            {
                let id = frame.value.as_ref().and_then(|v| {
                    v.get("params")?.get("_meta")?.get("io.modelcontextprotocol/subscriptionId")
                });
                if id != Some(&exchange.id) {
                    let method = frame.method().unwrap_or_default();
                    let found = id.map_or_else(
                        || "no subscriptionId".to_owned(),
                        |id| format!("the subscriptionId {}", show(id)),
                    );
                    problems.push(Problem::new(
                        format!("{method} without its id"),
                        format!(
                            "{method} of the subscription {} carries {found}",
                            show(&exchange.id)
                        ),
                    ));
                    return;
                }
            }
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use serde_json::json;

    Examples::of(&ENTRY)
    .flags("carries no subscriptionId", listens().runs_changed(|run| {
        run.steps[0].exchanges[0].side.push(frame(&json!({"method": "notifications/subscriptions/acknowledged", "params": {}})));
    }))
    .flags("carries the subscriptionId \"0\"", listens().runs_changed(|run| {
        let meta = json!({"io.modelcontextprotocol/subscriptionId": "0"});
        run.steps[0].exchanges[0].side.push(frame(&json!({"method": "notifications/subscriptions/acknowledged", "params": {"_meta": meta}})));
    }))
    .passes(listens().runs_changed(|run| {
        let meta = json!({"io.modelcontextprotocol/subscriptionId": 0});
        run.steps[0].exchanges[0].side.push(frame(&json!({"method": "notifications/subscriptions/acknowledged", "params": {"_meta": meta}})));
    }))
}
