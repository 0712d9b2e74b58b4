//! `listen_cancel_stops`.

use crate::lints::meta::lint;
use crate::lints::probes::listen_probes;
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{frame, listens},
};
use crate::probe::Probe;

lint! {
    /// A subscription goes on after it was cancelled.
    ///
    /// The client has forgotten it, and the server works for nobody.
    ListenCancelStops(Probe, Warning) {}
    spec: "basic/patterns/cancellation", fix: "Send nothing more for a subscription that was cancelled or whose stream was closed.", since: V2026_07_28
}

impl Lint for ListenCancelStops {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        listen_probes(context)
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        for run in context.runs {
            let Some(id) = run.exchange(0).map(|exchange| &exchange.id) else {
                continue;
            };
            let later = run.steps.iter().skip(1).flat_map(|step| {
                step.frames.iter().chain(step.exchanges.iter().flat_map(|exchange| &exchange.side))
            });
            let own = later.into_iter().find(|frame| {
                let tag = frame.value.as_ref().and_then(|v| {
                    v.get("params")?.get("_meta")?.get("io.modelcontextprotocol/subscriptionId")
                });
                tag == Some(id)
            });
            if let Some(frame) = own {
                let method = frame.method().unwrap_or_default();
                problems.push(Problem::new(
                    "goes on",
                    format!("{method} came for a subscription that was cancelled"),
                ));
                return;
            }
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use serde_json::json;

    Examples::of(&ENTRY)
    .flags("that was cancelled", listens().runs_changed(|run| {
        let meta = json!({"io.modelcontextprotocol/subscriptionId": 0});
        run.steps[1].exchanges[0].side.push(frame(&json!({"method": "notifications/tools/list_changed", "params": {"_meta": meta}})));
    }))
    .passes(listens())
}
