//! `batch_rejected`.

use crate::lints::meta::lint;
use crate::lints::probes::{batch_probe, batch_results};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, frame},
};
use crate::probe::Probe;

lint! {
    /// A batch of requests is served, which this revision does not have.
    ///
    /// Clients that count on it break with other servers.
    BatchRejected(Probe, Disabled) {}
    spec: "basic/transports#sending-messages-to-the-server", fix: "Refuse arrays with -32600 (HTTP: status 400).", since: V2025_06_18
}

impl Lint for BatchRejected {
    fn probes(&self, _context: &ListContext<'_>) -> Vec<Probe> {
        vec![batch_probe()]
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        if context.runs.iter().any(|run| batch_results(run) > 0) {
            problems.push(Problem::new("batch served", "a batch of requests was served"));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use serde_json::json;

    Examples::of(&ENTRY)
        .flags(
            "was served",
            Scene::new().runs_changed(|run| {
                run.steps[0]
                    .frames
                    .push(frame(&json!({"jsonrpc": "2.0", "id": 9101, "result": {}})));
            }),
        )
        .passes(Scene::new())
}
