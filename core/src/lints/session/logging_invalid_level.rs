//! `logging_invalid_level`.

use crate::exchange::Reply;
use crate::lints::look::declares;
use crate::lints::meta::lint;
use crate::lints::probes::{ask, first, outcome, shared};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, error},
};
use crate::probe::Probe;
use serde_json::json;

lint! {
    /// An unknown log level is not refused with -32602.
    ///
    /// A client whose level is misspelt is not told what is wrong.
    LoggingInvalidLevel(Probe, Warning) {}
    spec: "server/utilities/logging#error-handling", fix: "Refuse unknown levels with -32602.", until: V2025_11_25
}

impl Lint for LoggingInvalidLevel {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        if !declares(context.server, "logging") {
            return Vec::new();
        }
        vec![shared(
            "an unknown log level",
            vec![ask("logging/setLevel", json!({"level": "loud"}))],
        )]
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        let Some(exchange) = first(context) else {
            return;
        };
        let right = match &exchange.reply {
            Reply::Error(error) => matches!(error.code, Some(-32602 | -32601)),
            Reply::Result(_) => false,
            _ => true,
        };
        if !right {
            problems.push(Problem::new(
                "not -32602",
                format!("the unknown log level \"loud\" got {}", outcome(exchange)),
            ));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    let logs = || Scene::new().capabilities(json!({"logging": {}}));
    Examples::of(&ENTRY)
        .flags("got the result {}", logs().answers(|_, _| Reply::Result(json!({}))))
        .flags("the error -32603", logs().answers(|_, _| error(-32603, "x")))
        .passes(logs().answers(|_, _| error(-32602, "x")))
}
