//! `invalid_request_handled`.

use crate::lints::meta::lint;
use crate::lints::probes::{has_result, raw, rough};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, frame, http},
};
use crate::message::FrameKind;
use crate::probe::{Probe, ProbeStep};
use crate::protocol::Era;
use serde_json::json;

lint! {
    /// A message that is no request was answered with a result.
    ///
    /// What has no version, a null id or parameters that are no object is answered with -32600 or -32602, or (on pipes)
    /// ignored. A server that serves it hides faults of its clients.
    InvalidRequestHandled(Probe, Warning) {}
    spec: "JSON-RPC 2.0 section 5.1", fix: "Refuse messages that are no requests with -32600."
}

/// The messages, and what is wrong with them.
const FAULTY: &[(&str, &str)] = &[
    (r#"{"id":9001,"method":"METHOD"}"#, "a request without `jsonrpc`"),
    (r#"{"jsonrpc":"1.0","id":9002,"method":"METHOD"}"#, "a request with `jsonrpc` \"1.0\""),
    (r#"{"jsonrpc":"2.0","id":9003}"#, "a request without `method`"),
    (
        r#"{"jsonrpc":"2.0","id":9004,"method":"METHOD","params":"x"}"#,
        "a request with a string as `params`",
    ),
];

impl Lint for InvalidRequestHandled {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        let method = match context.revision.era() {
            Era::Legacy => "ping",
            Era::Modern => "server/discover",
        };
        let faulty = FAULTY.iter().map(|(text, _)| raw(&text.replace("METHOD", method))).collect();
        vec![rough("messages that are no requests", faulty)]
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        for run in context.runs {
            let frames = run.steps.iter().flat_map(|step| &step.frames);
            let served = |index: usize| {
                let id = json!(9001 + index);
                let by_frame =
                    frames.clone().any(|f| f.kind() == FrameKind::Result && f.id() == Some(&id));
                let by_body = run.http(index).is_some_and(has_result);
                by_frame || by_body
            };
            let raw =
                run.probe.steps.iter().filter(|step| matches!(step, ProbeStep::Raw(_))).count();
            for (index, (_, what)) in FAULTY.iter().enumerate().take(raw) {
                if served(index) {
                    problems
                        .push(Problem::new(*what, format!("{what} was answered with a result")));
                }
            }
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    Examples::of(&ENTRY)
        .flags(
            "without `jsonrpc` was answered",
            Scene::new().runs_changed(|run| {
                run.steps[3]
                    .frames
                    .push(frame(&json!({"jsonrpc": "2.0", "id": 9001, "result": {}})));
            }),
        )
        .flags(
            "\"1.0\" was answered",
            Scene::new().runs_changed(|run| {
                run.steps[1].http = Some(http(200, r#"{"jsonrpc":"2.0","id":9002,"result":{}}"#));
            }),
        )
        .passes(Scene::new().runs_changed(|run| run.steps[1].http = Some(http(400, ""))))
}
