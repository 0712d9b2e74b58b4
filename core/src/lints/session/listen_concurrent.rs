//! `listen_concurrent`.

use crate::lints::look::{CLIENT_CAPABILITIES, declares, is_stdio};
use crate::lints::meta::lint;
use crate::lints::probes::{notify, raw, shared};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, frame},
};
use crate::message::{Frame, FrameKind};
use crate::probe::{Probe, ProbeStep};
use serde_json::json;

lint! {
    /// Two subscriptions side by side are mixed up, or one of them is not acknowledged.
    ///
    /// Parts of a client subscribe on their own; each message tells by its id whom it is for.
    ListenConcurrent(Probe, Warning) {}
    spec: "basic/patterns/subscriptions#multiple-concurrent-subscriptions", fix: "Keep subscriptions apart by the id of their request.", since: V2026_07_28
}

/// The ids of the two subscriptions.
const IDS: [&str; 2] = ["tooltest-first", "tooltest-second"];

impl Lint for ListenConcurrent {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        if !is_stdio(context.input) || !declares(context.server, "tools/listChanged") {
            return Vec::new();
        }
        let meta = json!({"io.modelcontextprotocol/protocolVersion": context.revision.as_str(), CLIENT_CAPABILITIES: {}});
        let listen = |id: &str| {
            let params = json!({"notifications": {"toolsListChanged": true}, "_meta": meta});
            raw(&json!({"jsonrpc": "2.0", "id": id, "method": "subscriptions/listen", "params": params}).to_string())
        };
        let end = |id: &str| notify("notifications/cancelled", json!({"requestId": id}));
        let steps =
            vec![listen(IDS[0]), listen(IDS[1]), ProbeStep::Listen(700), end(IDS[0]), end(IDS[1])];
        vec![shared("two subscriptions", steps)]
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        for run in context.runs.iter().filter(|run| run.survived() == Some(true)) {
            let frames: Vec<&Frame> = run.steps.iter().flat_map(|step| &step.frames).collect();
            let refused = frames.iter().any(|frame| frame.kind() == FrameKind::Error);
            let acknowledged = |id: &&str| {
                frames.iter().any(|frame| {
                    let tag = frame.value.as_ref().and_then(|v| {
                        v.get("params")?.get("_meta")?.get("io.modelcontextprotocol/subscriptionId")
                    });
                    frame.method() == Some("notifications/subscriptions/acknowledged")
                        && tag.is_some_and(|tag| tag == *id)
                })
            };
            let count = IDS.iter().filter(|id| acknowledged(id)).count();
            // None at all is `listen_ack_first`.
            if count == 1 && !refused {
                problems.push(Problem::new(
                    "one of two",
                    "of two subscriptions side by side, only one was acknowledged with its id",
                ));
            }
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::protocol::Revision;

    let listens =
        || Scene::at(Revision::V2026_07_28).capabilities(json!({"tools": {"listChanged": true}}));
    Examples::of(&ENTRY)
    .flags("only one was acknowledged", listens().runs_changed(|run| {
        let meta = json!({"io.modelcontextprotocol/subscriptionId": "tooltest-first"});
        run.steps[2].frames.push(frame(&json!({
            "jsonrpc": "2.0", "method": "notifications/subscriptions/acknowledged", "params": {"_meta": meta},
        })));
    }))
    .passes(listens())
}
