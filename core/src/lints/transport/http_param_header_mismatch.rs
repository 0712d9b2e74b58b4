//! `http_param_header_mismatch`.

use crate::lints::meta::lint;
use crate::lints::probes::{Header, first_mismatch, marked_call, over_http, post, shared};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, http, odd_headers_code},
};
use crate::probe::Probe;

lint! {
    /// A call whose `Mcp-Param-*` header is missing or contradicts its argument is not refused as it should be.
    ///
    /// A gateway that lets calls pass by this header lets through what it should stop.
    HttpParamHeaderMismatch(Probe, Error) {}
    spec: "basic/transports/streamable-http#server-behavior-for-custom-headers", fix: "Compare each marked argument with its header, and answer with status 400 and the error -32020.", since: V2026_07_28
}

/// What is wrong with the calls.
const FAULTS: [&str; 2] = ["another value in its Mcp-Param header", "no Mcp-Param header"];

impl Lint for HttpParamHeaderMismatch {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        let Some((params, header, _)) = marked_call(context) else {
            return Vec::new();
        };
        let changes: [&[Header<'_>]; 3] =
            [&[], &[(header.as_str(), Some("tooltest-other"))], &[(header.as_str(), None)]];
        let steps = changes.map(|headers| post("tools/call", params.clone(), headers)).to_vec();
        over_http(context, || shared("Mcp-Param headers that do not fit", steps))
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        problems.extend(first_mismatch(context, &FAULTS));
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::protocol::Revision;
    use serde_json::json;

    let marked = |answer| {
        Scene::at(Revision::V2026_07_28)
        .over_http()
        .input_schema(json!({"type": "object", "properties": {"region": {"type": "string", "x-mcp-header": "Region"}}}))
        .seen_call("tool", json!({"region": "eu"}))
        .answers_http(answer)
    };
    Examples::of(&ENTRY)
        .flags(
            "another value in its Mcp-Param header got a result",
            marked(|_| http(200, r#"{"result":{}}"#)),
        )
        .passes(marked(odd_headers_code::<-32020>))
}
