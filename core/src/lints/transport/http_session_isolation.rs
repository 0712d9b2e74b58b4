//! `http_session_isolation`.

use crate::lints::look::is_streamable;
use crate::lints::meta::lint;
use crate::lints::probes::{end_session, fresh_http_session, harmless, has_result, minted, post};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, http},
};
use crate::probe::{Probe, ProbeSession};

lint! {
    /// What one client does to its session ends the session of another.
    ///
    /// Every client has a session of its own.
    HttpSessionIsolation(Probe, Error) {}
    spec: "basic/transports#session-management", fix: "Keep what belongs to a session under its id, and end only the one that DELETE names.", since: V2025_03_26, until: V2025_11_25
}

impl Lint for HttpSessionIsolation {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        if !is_streamable(context.input, context.server) || !minted(context) {
            return Vec::new();
        }
        let (method, params) = harmless(context);
        let steps = vec![
            post(method, params.clone(), &[]),
            fresh_http_session(context),
            end_session(1),
            post(method, params, &[]),
        ];
        let name = "the end of another session".to_owned();
        vec![Probe { name, session: ProbeSession::Own, steps }]
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        for run in context.runs {
            let served = |step: usize| run.http(step).is_some_and(has_result);
            let ended = run.http(2).is_some_and(|http| (200..300).contains(&http.status));
            let after = run.http(3).filter(|after| matches!(after.status, 400 | 404));
            if let Some(after) = after.filter(|_| served(0) && ended) {
                let status = after.status;
                problems.push(Problem::new(
                    "ended with another",
                    format!("after another client had ended its own session, a request in this one got status {status}"),
                ));
            }
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    let answers = |change: fn(&mut crate::probe::ProbeRun)| {
        Scene::new()
            .in_session()
            .answers_http(|_| http(200, r#"{"result":{}}"#))
            .runs_changed(change)
    };
    Examples::of(&ENTRY)
        .flags("got status 404", answers(|run| run.steps[3].http = Some(http(404, ""))))
        .passes(answers(|_| {}))
}
