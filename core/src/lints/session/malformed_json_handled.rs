//! `malformed_json_handled`.

use crate::lints::meta::lint;
use crate::lints::probes::{error_code, raw, rough};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, frame, http},
};
use crate::message::FrameKind;
use crate::probe::Probe;

lint! {
    /// Text that is no JSON is answered wrongly.
    ///
    /// It is answered with -32700 or, on pipes, ignored. That the server lives on is `server_survives_negative`.
    MalformedJsonHandled(Probe, Warning) {}
    spec: "JSON-RPC 2.0 section 5.1", fix: "Answer -32700 (HTTP: with status 400), or drop the line and go on."
}

impl Lint for MalformedJsonHandled {
    fn probes(&self, _context: &ListContext<'_>) -> Vec<Probe> {
        vec![rough("text that is no JSON", vec![raw("{\"jsonrpc\":\"2.0\",")])]
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        for step in context.runs.iter().filter_map(|run| run.steps.first()) {
            let answer = step
                .frames
                .iter()
                .find(|frame| matches!(frame.kind(), FrameKind::Result | FrameKind::Error));
            let code =
                answer.and_then(|frame| frame.value.as_ref()?.pointer("/error/code")?.as_i64());
            if let Some(frame) = answer.filter(|_| code != Some(-32700)) {
                let what =
                    code.map_or_else(|| "a result".to_owned(), |code| format!("the error {code}"));
                problems.push(
                    Problem::new(
                        what.clone(),
                        format!("text that is no JSON was answered with {what}, not -32700"),
                    )
                    .evidence(frame.preview(200)),
                );
            }
            let Some(http) = step.http.as_ref().filter(|http| http.status != 0) else {
                continue;
            };
            match (http.status, error_code(http)) {
                (400..=499, None | Some(-32700)) => {}
                (status @ 400..=499, Some(code)) => problems.push(Problem::new(
                    format!("code {code}"),
                    format!("a body that is no JSON was answered with status {status} and {code}, not -32700"),
                )),
                (status, _) => problems.push(Problem::new(
                    format!("status {status}"),
                    format!("a body that is no JSON was answered with status {status}, not 400"),
                )),
            }
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use serde_json::json;

    let answered = |code: fn(&mut crate::probe::ProbeRun)| Scene::new().runs_changed(code);
    Examples::of(&ENTRY)
        .flags(
            "the error -32603",
            answered(|run| {
                run.steps[0].frames.push(frame(
                    &json!({"jsonrpc": "2.0", "error": {"code": -32603, "message": "x"}}),
                ));
            }),
        )
        .flags("status 200", answered(|run| run.steps[0].http = Some(http(200, "{}"))))
        .passes(answered(|run| {
            run.steps[0]
                .frames
                .push(frame(&json!({"jsonrpc": "2.0", "error": {"code": -32700, "message": "x"}})));
        }))
        .passes(answered(|run| run.steps[0].http = Some(http(400, r#"{"error":{"code":-32700}}"#))))
        .passes(Scene::new())
}
