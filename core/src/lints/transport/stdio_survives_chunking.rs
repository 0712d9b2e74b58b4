//! `stdio_survives_chunking`.

use crate::lints::look::{CLIENT_CAPABILITIES, is_stdio};
use crate::lints::meta::lint;
use crate::lints::probes::shared;
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, frame},
};
use crate::probe::{Probe, ProbeStep};
use crate::protocol::Era;
use serde_json::json;

lint! {
    /// A request that arrives in pieces is not answered.
    ///
    /// Pipes cut messages where they like; only the line feed ends one.
    StdioSurvivesChunking(Probe, Error) {}
    spec: "basic/transports#stdio", fix: "Collect input until a line feed comes."
}

/// The id of the request that is cut up.
const ID: &str = "tooltest-in-pieces";

impl Lint for StdioSurvivesChunking {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        if !is_stdio(context.input) {
            return Vec::new();
        }
        let message = match context.revision.era() {
            Era::Legacy => json!({"jsonrpc": "2.0", "id": ID, "method": "ping"}),
            Era::Modern => {
                let meta = json!({"io.modelcontextprotocol/protocolVersion": context.revision.as_str(), CLIENT_CAPABILITIES: {}});
                json!({"jsonrpc": "2.0", "id": ID, "method": "server/discover", "params": {"_meta": meta}})
            }
        };
        let line = format!("{message}\n");
        let pieces = line.as_bytes().chunks(7).map(<[u8]>::to_vec).collect();
        // A server that works on several requests at a time may answer the next one first.
        let steps = vec![ProbeStep::Chunks(pieces), ProbeStep::Fence, ProbeStep::Listen(300)];
        vec![shared("a request in pieces", steps)]
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        for run in context.runs.iter().filter(|run| run.survived() == Some(true)) {
            let frames = run.steps.iter().flat_map(|step| &step.frames);
            if !frames.into_iter().any(|frame| frame.id().is_some_and(|id| id == ID)) {
                problems.push(Problem::new(
                    "in pieces",
                    "a request that was written in pieces of 7 bytes was not answered",
                ));
            }
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    Examples::of(&ENTRY)
        .flags("in pieces of 7 bytes", Scene::new())
        .passes(Scene::new().runs_changed(|run| {
            run.steps[0]
                .frames
                .push(frame(&json!({"jsonrpc": "2.0", "id": "tooltest-in-pieces", "result": {}})));
        }))
        .passes(Scene::new().over_http())
}
