//! `batch_supported`.

use crate::lints::meta::lint;
use crate::lints::probes::{batch_probe, batch_results};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, frame, http},
};
use crate::probe::Probe;

lint! {
    /// A batch of requests is not served.
    ///
    /// In 2025-03-26, and only there, servers must accept arrays of messages.
    BatchSupported(Probe, Warning) {}
    spec: "basic/index#batching", fix: "Serve each message of an array, or negotiate another revision.", since: V2025_03_26, until: V2025_03_26
}

impl Lint for BatchSupported {
    fn probes(&self, _context: &ListContext<'_>) -> Vec<Probe> {
        vec![batch_probe()]
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        for run in context.runs.iter().filter(|run| run.survived() == Some(true)) {
            let served = batch_results(run);
            if served < 2 {
                problems.push(Problem::new(
                    "batch not served",
                    format!("of a batch of 2 pings, {served} were answered"),
                ));
            }
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::protocol::Revision;
    use serde_json::json;

    let answered = |change| Scene::at(Revision::V2025_03_26).runs_changed(change);
    Examples::of(&ENTRY)
        .flags("0 were answered", answered(|_| {}))
        .passes(answered(|run| {
            run.steps[0].http =
                Some(http(200, r#"[{"id":9101,"result":{}},{"id":9102,"result":{}}]"#));
        }))
        .passes(answered(|run| {
            for id in [9101, 9102] {
                run.steps[0].frames.push(frame(&json!({"jsonrpc": "2.0", "id": id, "result": {}})));
            }
        }))
}
