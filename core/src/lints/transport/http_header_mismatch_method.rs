//! `http_header_mismatch_method`.

use crate::lints::meta::lint;
use crate::lints::probes::{Header, first_mismatch, harmless, over_http, with_headers};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, http, odd_headers_code},
};
use crate::probe::Probe;

lint! {
    /// A request whose `Mcp-Method` is missing or contradicts its body is not refused as it should be.
    ///
    /// A gateway that lets requests pass by this header lets through what it should stop.
    HttpHeaderMismatchMethod(Probe, Error) {}
    spec: "basic/transports/streamable-http#server-validation", fix: "Answer with status 400 and the error -32020.", since: V2026_07_28
}

/// What is wrong with the requests.
const FAULTS: [&str; 3] =
    ["another method in Mcp-Method", "no Mcp-Method", "its Mcp-Method in upper case"];

impl Lint for HttpHeaderMismatchMethod {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        let upper = harmless(context).0.to_ascii_uppercase();
        let changes: [&[Header<'_>]; 3] = [
            &[("Mcp-Method", Some("tooltest/other"))],
            &[("Mcp-Method", None)],
            &[("Mcp-Method", Some(&upper))],
        ];
        over_http(context, || with_headers(context, "Mcp-Method headers that do not fit", &changes))
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        problems.extend(first_mismatch(context, &FAULTS));
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::protocol::Revision;

    let modern = |answer| Scene::at(Revision::V2026_07_28).over_http().answers_http(answer);
    Examples::of(&ENTRY)
        .flags(
            "another method in Mcp-Method got a result",
            modern(|_| http(200, r#"{"result":{}}"#)),
        )
        .passes(modern(odd_headers_code::<-32020>))
}
