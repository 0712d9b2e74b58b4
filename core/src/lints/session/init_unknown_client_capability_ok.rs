//! `init_unknown_client_capability_ok`.

use crate::exchange::Reply;
use crate::lints::meta::lint;
use crate::lints::probes::{asked, outcome, watched_opening};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, error},
};
use crate::probe::Probe;

lint! {
    /// `initialize` is refused because the client declares a capability that the server does not know.
    ///
    /// Capabilities are an open set: clients of later revisions declare more.
    InitUnknownClientCapabilityOk(Probe, Warning) {}
    spec: "basic/lifecycle#capability-negotiation", fix: "Ignore client capabilities that are not known.", until: V2025_11_25
}

impl Lint for InitUnknownClientCapabilityOk {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        vec![watched_opening(context)]
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        let refused =
            asked(context).find(|(_, exchange)| matches!(exchange.reply, Reply::Error(_)));
        if let Some((_, exchange)) = refused {
            problems.push(Problem::new(
                "refused",
                format!("initialize with an unknown client capability got {}", outcome(exchange)),
            ));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use serde_json::json;

    Examples::of(&ENTRY)
        .flags("the error -32602", Scene::new().answers(|_, _| error(-32602, "unknown capability")))
        .passes(Scene::new().answers(|_, _| Reply::Result(json!({}))))
}
