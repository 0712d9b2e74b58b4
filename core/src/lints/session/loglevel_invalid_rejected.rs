//! `loglevel_invalid_rejected`.

use crate::exchange::Reply;
use crate::lints::look::declares;
use crate::lints::meta::lint;
use crate::lints::probes::{first, harmless, outcome, shared};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, error},
};
use crate::probe::{Probe, ProbeRequest, ProbeStep};
use crate::session::MetaOption;
use serde_json::json;

lint! {
    /// A request with an unknown log level is not refused.
    ///
    /// A client whose level is misspelt waits for log messages that never come.
    LoglevelInvalidRejected(Probe, Warning) {}
    spec: "server/utilities/logging#error-handling", fix: "Refuse unknown levels with -32602.", since: V2026_07_28
}

impl Lint for LoglevelInvalidRejected {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        if !declares(context.server, "logging") {
            return Vec::new();
        }
        let (method, params) = harmless(context);
        let meta = MetaOption::Patch(json!({"io.modelcontextprotocol/logLevel": "loud"}));
        let request =
            ProbeRequest { method: method.to_owned(), params, meta, ..ProbeRequest::default() };
        vec![shared("a request with an unknown log level", vec![ProbeStep::Request(request)])]
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        let Some(exchange) = first(context) else {
            return;
        };
        let refused = match &exchange.reply {
            Reply::Result(_) => false,
            Reply::Error(error) => error.code == Some(-32602),
            _ => true,
        };
        if !refused {
            problems.push(Problem::new(
                "not -32602",
                format!("a request with the log level \"loud\" got {}", outcome(exchange)),
            ));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::protocol::Revision;

    let logs = || Scene::at(Revision::V2026_07_28).capabilities(json!({"logging": {}}));
    Examples::of(&ENTRY)
        .flags(
            "the log level \"loud\" got the result",
            logs().answers(|_, _| Reply::Result(json!({}))),
        )
        .passes(logs().answers(|_, _| error(-32602, "bad level")))
        .passes(Scene::at(Revision::V2026_07_28).answers(|_, _| Reply::Result(json!({}))))
}
