//! `http_session_header_ignored`.

use crate::lints::meta::lint;
use crate::lints::probes::{
    Header, has_result, is_modern_only, modern_only, modern_responses, with_headers,
};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, http, odd_headers},
};
use crate::probe::Probe;

lint! {
    /// A header of the sessions that older revisions had is not ignored.
    ///
    /// Proxies and older clients may send it; this revision has no sessions.
    HttpSessionHeaderIgnored(Probe, Warning) {}
    spec: "basic/transports/streamable-http#earlier-streamable-http-revisions", fix: "Ignore `Mcp-Session-Id` and `Last-Event-ID`, and send no session id.", since: V2026_07_28
}

impl Lint for HttpSessionHeaderIgnored {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        let headers: [Header<'_>; 2] = [
            ("Mcp-Session-Id", Some("tooltest-session")),
            ("Last-Event-ID", Some("tooltest-event")),
        ];
        modern_only(context, with_headers(context, "headers of older sessions", &[&headers]))
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        let mut responses = modern_responses(context);
        let (Some(usual), Some(response)) = (responses.next(), responses.next()) else {
            return;
        };
        if !is_modern_only(context) || !has_result(usual) {
            return;
        }
        if !has_result(response) {
            let status = response.status;
            problems.push(Problem::new(
                "refused",
                format!("a request with Mcp-Session-Id and Last-Event-ID got status {status}"),
            ));
        } else if response.header("mcp-session-id").is_some() {
            problems.push(Problem::new("id sent", "the server sends an Mcp-Session-Id"));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::protocol::Revision;

    let modern = || Scene::at(Revision::V2026_07_28).over_http();
    Examples::of(&ENTRY)
        .flags("got status 404", modern().answers_http(odd_headers::<404>))
        .flags(
            "sends an Mcp-Session-Id",
            modern().answers_http(|_| {
                let mut response = http(200, r#"{"result":{}}"#);
                response.headers.push(("Mcp-Session-Id".to_owned(), "1".to_owned()));
                response
            }),
        )
        .passes(modern().answers_http(|_| http(200, r#"{"result":{}}"#)))
}
