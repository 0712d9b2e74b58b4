//! `http_header_mismatch_name`.

use crate::lints::look::is_streamable;
use crate::lints::meta::lint;
use crate::lints::probes::{Header, first_mismatch, named_target, post, shared};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, http, odd_headers_code},
};
use crate::probe::Probe;

lint! {
    /// A request whose `Mcp-Name` is missing or contradicts its body is not refused as it should be.
    ///
    /// A gateway that lets requests pass by this header lets through what it should stop.
    HttpHeaderMismatchName(Probe, Error) {}
    spec: "basic/transports/streamable-http#server-validation", fix: "Answer with status 400 and the error -32020.", since: V2026_07_28
}

/// What is wrong with the requests.
const FAULTS: [&str; 2] = ["another name in Mcp-Name", "no Mcp-Name"];

impl Lint for HttpHeaderMismatchName {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        let Some((method, params, _)) =
            named_target(context).filter(|_| is_streamable(context.input, context.server))
        else {
            return Vec::new();
        };
        let changes: [&[Header<'_>]; 3] =
            [&[], &[("Mcp-Name", Some("tooltest-other"))], &[("Mcp-Name", None)]];
        let steps = changes.map(|headers| post(method, params.clone(), headers)).to_vec();
        vec![shared("Mcp-Name headers that do not fit", steps)]
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        problems.extend(first_mismatch(context, &FAULTS));
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::catalog::ListKind;
    use crate::protocol::Revision;
    use serde_json::json;

    let modern = |answer| {
        Scene::at(Revision::V2026_07_28)
            .over_http()
            .item(ListKind::Resources, json!({"uri": "file:///a", "name": "a"}))
            .answers_http(answer)
    };
    Examples::of(&ENTRY)
        .flags("another name in Mcp-Name got a result", modern(|_| http(200, r#"{"result":{}}"#)))
        .passes(modern(odd_headers_code::<-32020>))
        .passes(
            Scene::at(Revision::V2026_07_28)
                .over_http()
                .answers_http(|_| http(200, r#"{"result":{}}"#)),
        )
}
