//! `init_unknown_version_counter`.

use crate::lints::meta::lint;
use crate::lints::probes::{answered_version, asked, asked_version, unknown_version_probe};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, error},
};
use crate::probe::Probe;

lint! {
    /// The server agrees to a version that does not exist.
    ///
    /// The client then believes that the server speaks whatever it asks for, future versions included.
    InitUnknownVersionCounter(Probe, Error) {}
    spec: "basic/lifecycle#version-negotiation", fix: "Answer an unknown version with the newest one that is supported.", until: V2025_11_25
}

impl Lint for InitUnknownVersionCounter {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        vec![unknown_version_probe(context)]
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        for (_, exchange) in asked(context) {
            if let (Some(asked), Some(answered)) =
                (asked_version(exchange), answered_version(exchange))
                && asked == answered
            {
                problems.push(Problem::new(
                    "echoed",
                    format!(
                        "asked for the version {asked}, which does not exist, the server agreed"
                    ),
                ));
            }
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::exchange::Reply;
    use serde_json::json;

    Examples::of(&ENTRY)
        .flags(
            "the server agreed",
            Scene::new().answers(|_, params| {
                Reply::Result(json!({"protocolVersion": params["protocolVersion"]}))
            }),
        )
        .passes(
            Scene::new().answers(|_, _| Reply::Result(json!({"protocolVersion": "2025-11-25"}))),
        )
        .passes(Scene::new().answers(|_, _| error(-32602, "Unsupported protocol version")))
}
