//! `resource_subscribe_undeclared`.

use crate::exchange::Reply;
use crate::lints::look::declares;
use crate::lints::meta::lint;
use crate::lints::probes::{ask, first, outcome, shared};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, error},
};
use crate::probe::Probe;
use serde_json::json;

lint! {
    /// Subscribing to a resource works although it is not declared, or fails in an odd way.
    ///
    /// Clients do not try what is not declared.
    ResourceSubscribeUndeclared(Probe, Disabled) {}
    spec: "server/resources#subscriptions", fix: "Declare `subscribe`, or answer -32601.", until: V2025_11_25
}

impl Lint for ResourceSubscribeUndeclared {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        let Some(resource) = context
            .catalog
            .resources
            .first()
            .filter(|_| !declares(context.server, "resources/subscribe"))
        else {
            return Vec::new();
        };
        vec![shared(
            "an undeclared subscription",
            vec![ask("resources/subscribe", json!({"uri": resource.uri}))],
        )]
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        let Some(exchange) = first(context) else {
            return;
        };
        if !matches!(&exchange.reply, Reply::Error(error) if error.code == Some(-32601)) {
            problems.push(Problem::new(
                "not -32601",
                format!("resources/subscribe, which is not declared, got {}", outcome(exchange)),
            ));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::catalog::ListKind;

    let listed =
        || Scene::new().item(ListKind::Resources, json!({"uri": "notes://1", "name": "n"}));
    Examples::of(&ENTRY)
        .flags("got the result {}", listed().answers(|_, _| Reply::Result(json!({}))))
        .passes(listed().answers(|_, _| error(-32601, "Method not found")))
}
