//! `http_header_ows`.

use crate::lints::meta::lint;
use crate::lints::probes::{Header, harmless, over_http, step_responses, with_headers};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, http, odd_headers},
};
use crate::probe::Probe;

lint! {
    /// A request is refused because of white space around a header's value.
    ///
    /// HTTP allows it, and it is no part of the value.
    HttpHeaderOws(Probe, Warning) {}
    spec: "RFC 9110 section 5.5", fix: "Trim header values before they are compared.", since: V2026_07_28
}

impl Lint for HttpHeaderOws {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        let padded = format!(" \t{}  ", harmless(context).0);
        let headers: &[Header<'_>] = &[("Mcp-Method", Some(&padded))];
        over_http(context, || {
            with_headers(context, "white space around a header's value", &[headers])
        })
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        for (_, response) in step_responses(context).filter(|(_, r)| (400..500).contains(&r.status))
        {
            let status = response.status;
            problems.push(Problem::new(
                "white space",
                format!(
                    "a request with white space around the value of Mcp-Method got status {status}"
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
        .flags("got status 400", modern(odd_headers::<400>))
        .passes(modern(|_| http(200, r#"{"result":{}}"#)))
}
