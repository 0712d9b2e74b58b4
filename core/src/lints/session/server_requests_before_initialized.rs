//! `server_requests_before_initialized`.

use crate::lints::meta::lint;
use crate::lints::probes::watched_opening;
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, frame},
};
use crate::message::{Frame, FrameKind};
use crate::probe::Probe;

lint! {
    /// The server sends requests before the client says that it is initialized.
    ///
    /// Until then only pings and log messages may come; clients refuse anything else, and what waits for it fails.
    ServerRequestsBeforeInitialized(Probe, Warning) {}
    spec: "basic/lifecycle#initialization", fix: "Wait for `notifications/initialized` before asking for roots or anything else.", until: V2025_11_25
}

impl Lint for ServerRequestsBeforeInitialized {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        vec![watched_opening(context)]
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        let steps = context.runs.iter().flat_map(|run| &run.steps);
        let frames = steps.flat_map(|step| {
            step.frames.iter().chain(step.exchanges.iter().flat_map(|exchange| &exchange.side))
        });
        let is_early = |frame: &&Frame| match frame.kind() {
            FrameKind::Request => frame.method() != Some("ping"),
            FrameKind::Notification => frame.method() != Some("notifications/message"),
            _ => false,
        };
        if let Some(frame) = frames.into_iter().find(is_early) {
            let method = frame.method().unwrap_or_default();
            problems.push(Problem::new(
                format!("early {method}"),
                format!("the server sent {method} before the client was initialized"),
            ));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use serde_json::json;

    let early = |method: &'static str| {
        if method == "ping" {
            return Scene::new().runs_changed(|run| {
                run.steps[1]
                    .frames
                    .push(frame(&json!({"jsonrpc": "2.0", "id": 1, "method": "ping"})));
            });
        }
        Scene::new().runs_changed(|run| {
            run.steps[1]
                .frames
                .push(frame(&json!({"jsonrpc": "2.0", "id": 1, "method": "roots/list"})));
        })
    };
    Examples::of(&ENTRY).flags("sent roots/list before", early("roots/list")).passes(early("ping"))
}
