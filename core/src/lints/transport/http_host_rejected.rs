//! `http_host_rejected`.

use crate::input::Target;
use crate::lints::meta::lint;
use crate::lints::probes::{has_result, is_loopback, step_responses, with_headers};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, http, odd_headers},
};
use crate::probe::Probe;

lint! {
    /// A server on this machine serves requests for a foreign host.
    ///
    /// A web page whose name points to this machine (DNS rebinding) can then talk to it.
    HttpHostRejected(Probe, Warning) {}
    spec: "basic/transports#security-warning", fix: "Check the `Host` header against the names that the server is reached by.", since: V2025_03_26
}

impl Lint for HttpHostRejected {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        let local =
            matches!(&context.input.target, Target::Http(target) if is_loopback(&target.url));
        if !local {
            return Vec::new();
        }
        vec![with_headers(context, "a foreign host", &[&[("Host", Some("evil.example"))]])]
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        if step_responses(context).any(|(_, response)| has_result(response)) {
            problems.push(Problem::new(
                "served",
                "a request with the Host evil.example was served, though the server is on this machine",
            ));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    let answers = |answer| Scene::new().over_http().answers_http(answer);
    Examples::of(&ENTRY)
        .flags("evil.example was served", answers(|_| http(200, r#"{"result":{}}"#)))
        .passes(answers(odd_headers::<421>))
}
