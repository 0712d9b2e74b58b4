//! `http_origin_local_accepted`.

use crate::input::Target;
use crate::lints::meta::lint;
use crate::lints::probes::{is_loopback, origin, step_responses, with_headers};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, http, odd_headers},
};
use crate::probe::Probe;

lint! {
    /// A request from a page of the server's own origin is refused.
    ///
    /// A web page that the server itself delivers then cannot talk to it.
    HttpOriginLocalAccepted(Probe, Warning) {}
    spec: "basic/transports#security-warning", fix: "Allow the server's own origin.", since: V2025_03_26
}

impl Lint for HttpOriginLocalAccepted {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        let Target::Http(target) = &context.input.target else {
            return Vec::new();
        };
        let Some(origin) = origin(&target.url).filter(|_| is_loopback(&target.url)) else {
            return Vec::new();
        };
        vec![with_headers(context, "the server's own origin", &[&[("Origin", Some(&origin))]])]
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        for (_, response) in step_responses(context).filter(|(_, r)| r.status == 403) {
            let status = response.status;
            problems.push(Problem::new(
                "refused",
                format!(
                    "a request with the server's own address as its Origin got status {status}"
                ),
            ));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    let answers = |answer| Scene::new().over_http().answers_http(answer);
    Examples::of(&ENTRY)
        .flags("got status 403", answers(odd_headers::<403>))
        .passes(answers(|_| http(200, r#"{"result":{}}"#)))
}
