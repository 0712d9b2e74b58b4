//! `init_version_not_modern`.

use crate::lints::meta::lint;
use crate::lints::probes::{answered_version, asked, initialize_probe};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use crate::probe::Probe;

lint! {
    /// `initialize` agrees to 2026-07-28, a revision that has no handshake.
    ///
    /// The client then sends requests that a server of that revision refuses.
    InitVersionNotModern(Probe, Warning) {}
    spec: "basic/lifecycle#version-negotiation", fix: "Answer `initialize` with 2025-11-25 or older.", until: V2025_11_25
}

impl Lint for InitVersionNotModern {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        vec![initialize_probe(context, "2026-07-28")]
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        if asked(context).any(|(_, exchange)| answered_version(exchange) == Some("2026-07-28")) {
            problems.push(Problem::new(
                "agrees",
                "initialize was answered with 2026-07-28, which has no handshake",
            ));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::exchange::Reply;
    use serde_json::json;

    Examples::of(&ENTRY)
        .flags(
            "answered with 2026-07-28",
            Scene::new().answers(|_, params| {
                Reply::Result(json!({"protocolVersion": params["protocolVersion"]}))
            }),
        )
        .passes(
            Scene::new().answers(|_, _| Reply::Result(json!({"protocolVersion": "2025-11-25"}))),
        )
}
