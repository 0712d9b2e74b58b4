//! `listen_graceful_result`.

use crate::lints::look::{CLIENT_CAPABILITIES, declares, is_stdio, shorten};
use crate::lints::meta::lint;
use crate::lints::probes::raw;
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, frame},
};
use crate::probe::{Probe, ProbeSession, ProbeStep};
use serde_json::json;

lint! {
    /// The answer that ends a subscription is not a complete result.
    ///
    /// It tells the client that the subscription has ended on purpose.
    ListenGracefulResult(Probe, Disabled) {}
    spec: "basic/patterns/subscriptions#graceful-closure", fix: "End a subscription with a result of the type `complete`.", since: V2026_07_28
}

impl Lint for ListenGracefulResult {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        if !is_stdio(context.input) || !declares(context.server, "tools/listChanged") {
            return Vec::new();
        }
        let meta = json!({"io.modelcontextprotocol/protocolVersion": context.revision.as_str(), CLIENT_CAPABILITIES: {}});
        let params = json!({"notifications": {"toolsListChanged": true}, "_meta": meta});
        let listen = json!({"jsonrpc": "2.0", "id": "tooltest-closing", "method": "subscriptions/listen", "params": params});
        let steps = vec![raw(&listen.to_string()), ProbeStep::Listen(500), ProbeStep::Close];
        vec![Probe {
            name: "a subscription at the end".to_owned(),
            session: ProbeSession::Own,
            steps,
        }]
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        let frames = context.runs.iter().flat_map(|run| &run.steps).flat_map(|step| &step.frames);
        let answers = frames.filter(|frame| frame.id().is_some_and(|id| id == "tooltest-closing"));
        for frame in answers {
            let result = frame.value.as_ref().and_then(|value| value.get("result"));
            if !result.is_some_and(|result| result.get("resultType") == Some(&json!("complete"))) {
                problems.push(Problem::new(
                    "not complete",
                    format!("a subscription ended with {}", shorten(&frame.preview(200), 120)),
                ));
            }
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::protocol::Revision;

    let ended = |change: fn(&mut crate::probe::ProbeRun)| {
        Scene::at(Revision::V2026_07_28)
            .capabilities(json!({"tools": {"listChanged": true}}))
            .runs_changed(change)
    };
    Examples::of(&ENTRY)
    .flags("a subscription ended with", ended(|run| {
        run.steps[2].frames.push(frame(&json!({"jsonrpc": "2.0", "id": "tooltest-closing", "result": {}})));
    }))
    .passes(ended(|run| {
        run.steps[2].frames.push(frame(&json!({"jsonrpc": "2.0", "id": "tooltest-closing", "result": {"resultType": "complete"}})));
    }))
}
