//! `http_origin_rejected_403`.

use crate::lints::look::is_streamable;
use crate::lints::meta::lint;
use crate::lints::probes::{harmless, has_result, post, responses, shared};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, http},
};
use crate::probe::Probe;

lint! {
    /// A request from a foreign web page is served.
    ///
    /// Any page that the user opens can then talk to the server (DNS rebinding).
    HttpOriginRejected403(Probe, Warning) {}
    spec: "basic/transports#security-warning", fix: "Check the `Origin` header and answer 403 where it is not one of your own.", since: V2025_03_26
}

impl Lint for HttpOriginRejected403 {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        if !is_streamable(context.input, context.server) {
            return Vec::new();
        }
        let (method, params) = harmless(context);
        vec![shared(
            "a foreign origin",
            vec![post(method, params, &[("Origin", Some("http://evil.example"))])],
        )]
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        if responses(context).any(|(_, response)| has_result(response)) {
            problems.push(Problem::new(
                "served",
                "a request with the Origin http://evil.example was served",
            ));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    let answers = |answer| Scene::new().over_http().answers_http(answer);
    Examples::of(&ENTRY)
        .flags("http://evil.example was served", answers(|_| http(200, r#"{"result":{}}"#)))
        .passes(answers(|_| http(403, "")))
        .passes(Scene::new())
}
