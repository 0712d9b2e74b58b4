//! `http_session_required_400`.

use crate::lints::meta::lint;
use crate::lints::probes::{minted, over_http, step_responses, with_headers};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, odd_headers},
};
use crate::probe::Probe;

lint! {
    /// A request without the session's id is refused with an odd status.
    ///
    /// 400 tells the client that the header is missing.
    HttpSessionRequired400(Probe, Warning) {}
    spec: "basic/transports#session-management", fix: "Answer requests without `Mcp-Session-Id` with 400, or serve them.", since: V2025_03_26, until: V2025_11_25
}

impl Lint for HttpSessionRequired400 {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        if !minted(context) {
            return Vec::new();
        }
        over_http(context, || {
            with_headers(context, "no session id", &[&[("Mcp-Session-Id", None)]])
        })
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        for (_, response) in step_responses(context) {
            let status = response.status;
            if !matches!(status, 200 | 400 | 401 | 403 | 404) {
                problems.push(Problem::new(
                    format!("status {status}"),
                    format!("a request without a session id got status {status}, not 400"),
                ));
            }
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    let answers = |answer| Scene::new().in_session().answers_http(answer);
    Examples::of(&ENTRY)
        .flags("status 500, not 400", answers(odd_headers::<500>))
        .passes(answers(odd_headers::<400>))
}
