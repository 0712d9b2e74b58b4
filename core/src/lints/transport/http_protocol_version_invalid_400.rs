//! `http_protocol_version_invalid_400`.

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
    /// A request with a version header that makes no sense is served.
    ///
    /// The server then works by rules that the client did not name.
    HttpProtocolVersionInvalid400(Probe, Error) {}
    spec: "basic/transports#protocol-version-header", fix: "Answer 400 to an `MCP-Protocol-Version` that is invalid or not supported.", since: V2025_06_18, until: V2025_11_25
}

impl Lint for HttpProtocolVersionInvalid400 {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        if !is_streamable(context.input, context.server) {
            return Vec::new();
        }
        let (method, params) = harmless(context);
        let with =
            |version| post(method, params.clone(), &[("MCP-Protocol-Version", Some(version))]);
        vec![shared("version headers that make no sense", vec![with("1900-01-01"), with("banana")])]
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        let mut served = responses(context).map(|(_, response)| response);
        let Some(response) = served.find(|response| response.status != 400) else {
            return;
        };
        let status = response.status;
        let problem = Problem::new(
            format!("status {status}"),
            format!(
                "a request with an MCP-Protocol-Version that makes no sense got status {status}, not 400"
            ),
        );
        problems.push(if has_result(response) { problem } else { problem.warning() });
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    let answers = |answer| Scene::new().over_http().answers_http(answer);
    Examples::of(&ENTRY)
        .flags("status 200, not 400", answers(|_| http(200, r#"{"result":{}}"#)))
        .flags("status 404, not 400", answers(|_| http(404, "")))
        .passes(answers(|_| http(400, "")))
}
