//! `http_header_mismatch_version`.

use crate::lints::meta::lint;
use crate::lints::probes::{Header, error_code, mismatch, over_http, step_responses, with_headers};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, http, odd_headers_code},
};
use crate::probe::Probe;

lint! {
    /// A request whose version header contradicts its body is not refused as it should be.
    ///
    /// A gateway then works by another version than the server.
    HttpHeaderMismatchVersion(Probe, Error) {}
    spec: "basic/transports/streamable-http#server-validation", fix: "Answer with status 400 and the error -32020.", since: V2026_07_28
}

impl Lint for HttpHeaderMismatchVersion {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        let other: &[Header<'_>] = &[("MCP-Protocol-Version", Some("2025-11-25"))];
        over_http(context, || with_headers(context, "a version header of its own", &[other]))
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        for (_, response) in step_responses(context) {
            // A version that the server does not have may be named as such.
            if error_code(response) != Some(-32022) {
                problems
                    .extend(mismatch(response, "another version in its header than in its body"));
            }
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::protocol::Revision;

    let modern = |answer| Scene::at(Revision::V2026_07_28).over_http().answers_http(answer);
    Examples::of(&ENTRY)
        .flags("got a result", modern(|_| http(200, r#"{"result":{}}"#)))
        .flags("status 400 with the error -32600", modern(odd_headers_code::<-32600>))
        .passes(modern(odd_headers_code::<-32020>))
}
