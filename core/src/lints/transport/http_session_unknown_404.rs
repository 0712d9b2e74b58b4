//! `http_session_unknown_404`.

use crate::exchange::HttpExchange;
use crate::lints::meta::lint;
use crate::lints::probes::{has_result, session_probe};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, http},
};
use crate::probe::Probe;

lint! {
    /// A session that has ended, or never was, is not answered with 404.
    ///
    /// 404 tells the client to begin a new session. Where an ended session goes on, whoever has its id can use it.
    HttpSessionUnknown404(Probe, Error) {}
    spec: "basic/transports#session-management", fix: "Forget a session at DELETE, and answer 404 to ids that are not known.", since: V2025_03_26, until: V2025_11_25
}

impl Lint for HttpSessionUnknown404 {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        session_probe(context)
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        let Some(run) = context.runs.first() else {
            return;
        };
        let ended = run.http(0).is_some_and(|deleted| (200..300).contains(&deleted.status));
        let terminated = run.http(1).filter(|_| ended);
        if let Some(response) = terminated.filter(|response| has_result(response)) {
            let status = response.status;
            problems.push(Problem::new(
                "ended session goes on",
                format!("DELETE was accepted, but a request in the same session was served with status {status}"),
            ));
            return;
        }
        // Many servers follow an example that answers 400.
        let odd =
            |response: &&HttpExchange| !matches!(response.status, 0 | 401 | 403 | 404 | 500..);
        let (which, response) = match (terminated.filter(odd), run.http(2).filter(odd)) {
            (Some(response), _) => ("has ended", response),
            (None, Some(response)) => ("never was", response),
            (None, None) => return,
        };
        let status = response.status;
        problems.push(
            Problem::new(
                format!("status {status}"),
                format!("a request in a session that {which} got status {status}, not 404"),
            )
            .warning(),
        );
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    let answers = |answer| Scene::new().in_session().answers_http(answer);
    Examples::of(&ENTRY)
        .flags("DELETE was accepted", answers(|_| http(200, r#"{"result":{}}"#)))
        .flags(
            "that has ended got status 400",
            answers(|request| match request.method.as_str() {
                "DELETE" => http(204, ""),
                _ => http(400, ""),
            }),
        )
        .flags(
            "that never was got status 400",
            answers(|request| match request.method.as_str() {
                "DELETE" => http(405, ""),
                _ => http(400, ""),
            }),
        )
        .passes(answers(|request| match request.method.as_str() {
            "DELETE" => http(200, ""),
            _ => http(404, ""),
        }))
        .passes(Scene::new().over_http().answers_http(|_| http(200, r#"{"result":{}}"#)))
}
