//! `http_header_name_case`.

use crate::lints::meta::lint;
use crate::lints::probes::{Header, harmless, over_http, step_responses, with_headers};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, http},
};
use crate::probe::Probe;

lint! {
    /// A request is refused because of the letter case of its headers' names.
    ///
    /// HTTP does not tell `mcp-method` from `MCP-METHOD`; proxies change the case as they like.
    HttpHeaderNameCase(Probe, Error) {}
    spec: "basic/transports/streamable-http#case-sensitivity", fix: "Compare header names without case.", since: V2026_07_28
}

impl Lint for HttpHeaderNameCase {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        let (method, version) = (harmless(context).0, context.revision.as_str());
        let changes: [&[Header<'_>]; 2] = [
            &[("mcp-method", Some(method)), ("mcp-protocol-version", Some(version))],
            &[("MCP-METHOD", Some(method)), ("MCP-PROTOCOL-VERSION", Some(version))],
        ];
        over_http(context, || with_headers(context, "header names in other case", &changes))
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        for (at, response) in
            step_responses(context).filter(|(_, r)| (400..500).contains(&r.status))
        {
            let case = if at == 0 { "lower" } else { "upper" };
            let status = response.status;
            problems.push(Problem::new(
                format!("{case} case"),
                format!(
                    "a request with the names of its headers in {case} case got status {status}"
                ),
            ));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::protocol::Revision;

    let modern = |answer| Scene::at(Revision::V2026_07_28).over_http().answers_http(answer);
    Examples::of(&ENTRY)
        .flags(
            "in upper case got status 400",
            modern(|request| {
                let upper = request.headers.iter().any(|(name, _)| name == "MCP-METHOD");
                if upper { http(400, "") } else { http(200, r#"{"result":{}}"#) }
            }),
        )
        .passes(modern(|_| http(200, r#"{"result":{}}"#)))
}
