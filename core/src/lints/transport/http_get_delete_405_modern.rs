//! `http_get_delete_405_modern`.

use crate::lints::meta::lint;
use crate::lints::probes::{bare, is_modern_only, modern_only, modern_responses, shared};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, http},
};
use crate::probe::Probe;

lint! {
    /// GET or DELETE is answered with a status other than 405.
    ///
    /// This revision has neither; 405 tells older clients that there is no stream and no session.
    HttpGetDelete405Modern(Probe, Warning) {}
    spec: "basic/transports/streamable-http#earlier-streamable-http-revisions", fix: "Answer GET and DELETE with 405.", since: V2026_07_28
}

impl Lint for HttpGetDelete405Modern {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        let accept = [("Accept", Some("text/event-stream"))];
        let steps = vec![bare("GET", &accept, 500), bare("DELETE", &[], 3000)];
        modern_only(context, shared("GET and DELETE", steps))
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        if !is_modern_only(context) {
            return;
        }
        for (response, method) in modern_responses(context).zip(["GET", "DELETE"]) {
            let status = response.status;
            if status != 405 {
                problems.push(Problem::new(
                    format!("{method} {status}"),
                    format!("{method} was answered with status {status}, not 405"),
                ));
                return;
            }
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::exchange::Reply;
    use crate::protocol::Revision;
    use serde_json::json;

    let modern = || Scene::at(Revision::V2026_07_28).over_http();
    Examples::of(&ENTRY)
        .flags("GET was answered with status 404", modern().answers_http(|_| http(404, "")))
        .passes(modern().answers_http(|_| http(405, "")))
        .passes(modern().answers_http(|_| http(404, "")).answers(|_, _| Reply::Result(json!({}))))
}
