//! `http_malformed_body_400`.

use crate::lints::look::is_streamable;
use crate::lints::meta::lint;
use crate::lints::probes::{harmless, post, responses, rough};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, http},
};
use crate::probe::Probe;

lint! {
    /// A body of the wrong content type is served, or breaks the server.
    ///
    /// It is refused with 4xx, which also keeps web pages from sending simple requests.
    HttpMalformedBody400(Probe, Warning) {}
    spec: "basic/transports#sending-messages-to-the-server", fix: "Answer 415 or 400 to bodies that are not `application/json`.", since: V2025_03_26
}

impl Lint for HttpMalformedBody400 {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        if !is_streamable(context.input, context.server) {
            return Vec::new();
        }
        let (method, params) = harmless(context);
        vec![rough(
            "a body of the wrong type",
            vec![post(method, params, &[("Content-Type", Some("text/plain"))])],
        )]
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        for (_, response) in responses(context).filter(|(_, r)| !(400..500).contains(&r.status)) {
            let status = response.status;
            problems.push(Problem::new(
                format!("status {status}"),
                format!("a body of type text/plain got status {status}, not 4xx"),
            ));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    let answers = |answer| Scene::new().over_http().answers_http(answer);
    Examples::of(&ENTRY)
        .flags("status 200", answers(|_| http(200, r#"{"result":{}}"#)))
        .passes(answers(|_| http(415, "")))
}
