//! `http_accept_missing`.

use crate::lints::meta::lint;
use crate::lints::probes::{over_http, step_responses, with_headers};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, odd_headers},
};
use crate::probe::Probe;

lint! {
    /// A request without an `Accept` header breaks the server.
    ///
    /// It may be refused with 406 or 400, or served.
    HttpAcceptMissing(Probe, Disabled) {}
    spec: "basic/transports#sending-messages-to-the-server", fix: "Answer 406 where `Accept` does not list both content types, or serve the request.", since: V2025_03_26
}

impl Lint for HttpAcceptMissing {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        over_http(context, || with_headers(context, "no Accept", &[&[("Accept", None)]]))
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        for (_, response) in step_responses(context).filter(|(_, r)| r.status >= 500) {
            let status = response.status;
            problems.push(Problem::new(
                format!("status {status}"),
                format!("a request without an Accept header got status {status}"),
            ));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    let answers = |answer| Scene::new().over_http().answers_http(answer);
    Examples::of(&ENTRY)
        .flags("status 500", answers(odd_headers::<500>))
        .passes(answers(odd_headers::<406>))
}
