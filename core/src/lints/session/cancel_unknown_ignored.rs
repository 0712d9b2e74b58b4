//! `cancel_unknown_ignored`.

use crate::lints::meta::lint;
use crate::lints::probes::{breakdown, notify, shared};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, silent_at_the_end},
};
use crate::probe::Probe;
use serde_json::{Value, json};

lint! {
    /// The server breaks down when something is cancelled that is not under way.
    ///
    /// A cancellation and the answer may cross; the server must ignore what comes too late.
    CancelUnknownIgnored(Probe, Warning) {}
    spec: "basic/utilities/cancellation#error-handling", fix: "Ignore cancellations of requests that are unknown or answered."
}

impl Lint for CancelUnknownIgnored {
    fn probes(&self, _context: &ListContext<'_>) -> Vec<Probe> {
        let cancel = |id: Value| notify("notifications/cancelled", json!({"requestId": id}));
        vec![shared(
            "cancellations of nothing",
            vec![cancel(json!("tooltest-none")), cancel(json!(1))],
        )]
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        problems.extend(breakdown(context, "a cancellation of a request that was not under way"));
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    let silent = Scene::new().runs_changed(silent_at_the_end);
    Examples::of(&ENTRY).flags("no longer answers", silent).passes(Scene::new())
}
