//! `http_protocol_version_absent_modern`.

use crate::lints::meta::lint;
use crate::lints::probes::{
    Header, has_result, is_modern_only, mismatch, modern_only, modern_responses, with_headers,
};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, http, odd_headers_code},
};
use crate::probe::Probe;

lint! {
    /// A request without the version header is not refused as it should be.
    ///
    /// A server that serves only this revision answers it with 400 and -32020.
    HttpProtocolVersionAbsentModern(Probe, Warning) {}
    spec: "basic/transports/streamable-http#protocol-version-header", fix: "Answer requests without `MCP-Protocol-Version` with status 400 and the error -32020.", since: V2026_07_28
}

impl Lint for HttpProtocolVersionAbsentModern {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        let without: &[Header<'_>] = &[("MCP-Protocol-Version", None)];
        modern_only(context, with_headers(context, "no version header", &[without]))
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        let mut responses = modern_responses(context);
        let (Some(usual), Some(response)) = (responses.next(), responses.next()) else {
            return;
        };
        if is_modern_only(context) && has_result(usual) {
            problems.extend(mismatch(response, "no MCP-Protocol-Version"));
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
        .flags("got a result", modern().answers_http(|_| http(200, r#"{"result":{}}"#)))
        .passes(modern().answers_http(odd_headers_code::<-32020>))
        .passes(
            modern()
                .answers_http(|_| http(200, r#"{"result":{}}"#))
                .answers(|_, _| Reply::Result(json!({}))),
        )
}
