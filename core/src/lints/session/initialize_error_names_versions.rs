//! `initialize_error_names_versions`.

use crate::exchange::Reply;
use crate::lints::meta::lint;
use crate::lints::probes::{asked, legacy_probe};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, error},
};
use crate::probe::Probe;

lint! {
    /// A server without a handshake refuses `initialize` and does not say which versions it supports.
    ///
    /// An older client can tell its user nothing but that it failed.
    InitializeErrorNamesVersions(Probe, Warning) {}
    spec: "basic/versioning#backward-compatibility-with-initialization-based-versions", fix: "Name the supported versions in the error's message or data.", since: V2026_07_28
}

impl Lint for InitializeErrorNamesVersions {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        vec![legacy_probe(context).0]
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        for (_, exchange) in asked(context) {
            let Reply::Error(error) = &exchange.reply else { continue };
            let named = error.raw.to_string().contains(context.list.revision.as_str());
            if !named {
                problems.push(Problem::new(
                    "no version named",
                    "the error to initialize names no supported version",
                ));
            }
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::protocol::Revision;
    use serde_json::json;

    let modern = || Scene::at(Revision::V2026_07_28);
    Examples::of(&ENTRY)
        .flags(
            "names no supported version",
            modern().answers(|_, _| error(-32601, "Method not found")),
        )
        .passes(modern().answers(|_, _| error(-32022, "Unsupported; supported: 2026-07-28")))
        .passes(modern().answers(|_, _| Reply::Result(json!({"protocolVersion": "2025-11-25"}))))
}
