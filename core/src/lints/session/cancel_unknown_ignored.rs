//! `cancel_unknown_ignored`.

use crate::lints::meta::lint;
use crate::lints::probes::{notify, shared};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
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
        if context.runs.iter().any(|run| run.survived() == Some(false)) {
            problems.push(Problem::new(
                "breakdown",
                "after a cancellation of a request that was not under way, the server no longer answers",
            ));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::exchange::Reply;

    let silent = Scene::new().runs_changed(|run| {
        let last = run.steps.len() - 1;
        run.steps[last].exchanges[0].reply = Reply::Silence { responsive: false };
    });
    Examples::of(&ENTRY).flags("no longer answers", silent).passes(Scene::new())
}
