//! `http_protocol_version_absent`.

use crate::lints::meta::lint;
use crate::lints::probes::{Header, over_http, step_responses, with_headers};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, http, odd_headers},
};
use crate::probe::Probe;

lint! {
    /// A request without the version header is refused.
    ///
    /// The server knows the version from the handshake; clients of 2025-03-26 send no such header.
    HttpProtocolVersionAbsent(Probe, Warning) {}
    spec: "basic/transports#protocol-version-header", fix: "Take a request without `MCP-Protocol-Version` for one of the version agreed on, or of 2025-03-26.", since: V2025_06_18, until: V2025_11_25
}

impl Lint for HttpProtocolVersionAbsent {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        let without: &[Header<'_>] = &[("MCP-Protocol-Version", None)];
        over_http(context, || with_headers(context, "no version header", &[without]))
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        for (_, response) in step_responses(context).filter(|(_, r)| (400..500).contains(&r.status))
        {
            let status = response.status;
            problems.push(Problem::new(
                format!("status {status}"),
                format!("a request without MCP-Protocol-Version got status {status}"),
            ));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    let answers = |answer| Scene::new().over_http().answers_http(answer);
    Examples::of(&ENTRY)
        .flags("got status 400", answers(odd_headers::<400>))
        .passes(answers(|_| http(200, r#"{"result":{}}"#)))
}
