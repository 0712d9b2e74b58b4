//! `http_session_delete`.

use crate::lints::meta::lint;
use crate::lints::probes::session_probe;
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, http},
};
use crate::probe::Probe;

lint! {
    /// DELETE, which ends a session, is answered with an odd status.
    ///
    /// A client that is done says so with DELETE; the answer is a success, or 405 where clients may not end sessions.
    HttpSessionDelete(Probe, Warning) {}
    spec: "basic/transports#session-management", fix: "Answer DELETE with 200 or 204, or with 405.", since: V2025_03_26, until: V2025_11_25
}

impl Lint for HttpSessionDelete {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        session_probe(context)
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        let deleted = context.runs.first().and_then(|run| run.http(0));
        let status = deleted.map_or(0, |response| response.status);
        if !matches!(status, 0 | 200..300 | 405) {
            problems.push(Problem::new(
                format!("status {status}"),
                format!("DELETE was answered with status {status}, not with a success or 405"),
            ));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    let answers = |answer| Scene::new().in_session().answers_http(answer);
    Examples::of(&ENTRY)
        .flags("status 400", answers(|_| http(400, "")))
        .passes(answers(|_| http(405, "")))
        .passes(answers(|_| http(204, "")))
}
