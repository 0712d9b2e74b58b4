//! `discover_dual_era_consistent`.

use crate::exchange::Reply;
use crate::lints::meta::lint;
use crate::lints::probes::{answered_version, asked, asked_version, legacy_probe, outcome};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{discovered, error},
};
use crate::probe::Probe;

lint! {
    /// A version with a handshake is listed, but cannot be had with `initialize`.
    ///
    /// Clients of that version read the list, try, and fail.
    DiscoverDualEraConsistent(Probe, Warning) {}
    spec: "basic/versioning#backward-compatibility-with-initialization-based-versions", fix: "List only versions that are served.", since: V2026_07_28
}

impl Lint for DiscoverDualEraConsistent {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        let (probe, listed) = legacy_probe(context);
        if listed { vec![probe] } else { Vec::new() }
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        for (_, exchange) in asked(context) {
            let version = asked_version(exchange).unwrap_or_default();
            let fits = match &exchange.reply {
                Reply::Result(_) => answered_version(exchange) == Some(version),
                Reply::Error(_) => false,
                _ => true,
            };
            if !fits {
                problems.push(Problem::new(
                    "not negotiable",
                    format!(
                        "{version} is listed as supported, but initialize for it got {}",
                        outcome(exchange)
                    ),
                ));
            }
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use serde_json::json;

    Examples::of(&ENTRY)
        .flags(
            "2025-11-25 is listed as supported",
            discovered(json!(["2025-11-25", "2026-07-28"])).answers(|_, _| error(-32022, "no")),
        )
        .passes(discovered(json!(["2026-07-28"])).answers(|_, _| error(-32022, "no")))
        .passes(discovered(json!(["2025-11-25", "2026-07-28"])).answers(|_, params| {
            Reply::Result(json!({"protocolVersion": params["protocolVersion"]}))
        }))
}
