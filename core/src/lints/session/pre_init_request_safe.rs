//! `pre_init_request_safe`.

use crate::exchange::Reply;
use crate::lints::meta::lint;
use crate::lints::probes::{ask, unopened};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use crate::probe::{Probe, ProbeStep};
use serde_json::json;

lint! {
    /// A request before `initialize` makes the connection useless.
    ///
    /// Clients that find out the era of a server do send one.
    PreInitRequestSafe(Probe, Disabled) {}
    spec: "basic/lifecycle#initialization", fix: "Refuse the request and wait for `initialize`.", until: V2025_11_25
}

impl Lint for PreInitRequestSafe {
    fn probes(&self, _context: &ListContext<'_>) -> Vec<Probe> {
        let steps = vec![ask("tools/list", json!({})), ProbeStep::Open, ProbeStep::Fence];
        vec![unopened("a request before initialize", steps)]
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        for run in context.runs {
            let early =
                run.exchange(0).is_some_and(|exchange| matches!(exchange.reply, Reply::Closed(_)));
            if early || run.survived() == Some(false) {
                problems.push(Problem::new(
                    "useless",
                    "after a request before initialize, the connection can no longer be used",
                ));
            }
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    let fence = |run: &mut crate::probe::ProbeRun| {
        run.steps[2].exchanges[0].reply = Reply::Silence { responsive: false }
    };
    Examples::of(&ENTRY)
        .flags("no longer be used", Scene::new().runs_changed(fence))
        .passes(Scene::new())
}
