//! `notification_no_response`.

use crate::lints::meta::lint;
use crate::lints::probes::notification_probes;
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, frame},
};
use crate::message::FrameKind;
use crate::probe::{Probe, ProbeStep};

lint! {
    /// A notification was answered.
    ///
    /// Nobody waits for such an answer; clients report it as a fault of the server or drop the connection.
    NotificationNoResponse(Probe, Error) {}
    spec: "basic/index#notifications", fix: "Answer messages with an `id` only, whatever is wrong with the others."
}

impl Lint for NotificationNoResponse {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        notification_probes(context)
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        for run in context.runs {
            for (step, outcome) in run.probe.steps.iter().zip(&run.steps) {
                let ProbeStep::Notify { method, .. } = step else { continue };
                let frame = outcome
                    .frames
                    .iter()
                    .find(|frame| matches!(frame.kind(), FrameKind::Result | FrameKind::Error));
                // What stands in the body of an HTTP response is `http_notification_202`.
                if let Some(shown) = frame.map(|frame| frame.preview(200)) {
                    problems.push(
                        Problem::new(
                            format!("answer to {method}"),
                            format!("the notification {method} was answered"),
                        )
                        .evidence(shown),
                    );
                    return;
                }
            }
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use serde_json::json;

    let answered = Scene::new().runs_changed(|run| {
        run.steps[0].frames.push(frame(
            &json!({"jsonrpc": "2.0", "id": null, "error": {"code": -32601, "message": "no"}}),
        ));
    });
    Examples::of(&ENTRY).flags("was answered", answered).passes(Scene::new())
}
