//! `stdio_large_message`.

use crate::exchange::Reply;
use crate::lints::look::is_stdio;
use crate::lints::meta::lint;
use crate::lints::probes::{asked, harmless, outcome};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use crate::probe::{Probe, ProbeRequest, ProbeSession, ProbeStep};
use crate::session::MetaOption;
use serde_json::json;

lint! {
    /// A request of a megabyte breaks the server.
    ///
    /// Documents and images travel in arguments.
    StdioLargeMessage(Probe, Disabled) {
        /// How large the request is, in bytes.
        bytes: usize = 1_048_576,
    }
    spec: "basic/transports#stdio", fix: "Read lines of any length, or refuse long ones with an error."
}

impl Lint for StdioLargeMessage {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        if !is_stdio(context.input) {
            return Vec::new();
        }
        let (method, params) = harmless(context);
        let request = ProbeRequest {
            method: method.to_owned(),
            params,
            meta: MetaOption::Patch(json!({"example.com/padding": "x".repeat(self.bytes)})),
            ..ProbeRequest::default()
        };
        let steps = vec![ProbeStep::Request(request), ProbeStep::Fence];
        vec![Probe { name: "a large request".to_owned(), session: ProbeSession::Own, steps }]
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        for (_, exchange) in asked(context) {
            if matches!(exchange.reply, Reply::Silence { .. } | Reply::Closed(_)) {
                problems.push(Problem::new(
                    "large request",
                    format!("a request of {} bytes got {}", self.bytes, outcome(exchange)),
                ));
            }
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    Examples::of(&ENTRY)
        .flags("got no answer", Scene::new().answers(|_, _| Reply::Silence { responsive: false }))
        .passes(Scene::new().answers(|_, _| Reply::Result(json!({}))))
}
