//! `ping_answered`.

use crate::exchange::Reply;
use crate::lints::look::show;
use crate::lints::meta::lint;
use crate::lints::probes::{ask, first, outcome, shared};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, error},
};
use crate::probe::Probe;
use serde_json::Value;

lint! {
    /// `ping` is not answered with an empty result.
    ///
    /// Clients end connections whose pings fail.
    PingAnswered(Probe, Error) {}
    spec: "basic/utilities/ping", fix: "Answer `ping` at once with `{}`.", until: V2025_11_25
}

impl Lint for PingAnswered {
    fn probes(&self, _context: &ListContext<'_>) -> Vec<Probe> {
        vec![shared("ping", vec![ask("ping", Value::Null)])]
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        let Some(exchange) = first(context) else {
            return;
        };
        match &exchange.reply {
            Reply::Result(result) => {
                let more = result
                    .as_object()
                    .is_none_or(|members| members.keys().any(|key| key != "_meta"));
                if more {
                    problems.push(
                        Problem::new(
                            "not empty",
                            format!("ping was answered with {}, not {{}}", show(result)),
                        )
                        .warning(),
                    );
                }
            }
            Reply::Error(_) => {
                problems.push(Problem::new(
                    "error",
                    format!("ping was answered with {}", outcome(exchange)),
                ));
            }
            _ => {}
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use serde_json::json;

    Examples::of(&ENTRY)
        .flags("the error -32601", Scene::new().answers(|_, _| error(-32601, "Method not found")))
        .flags("\"pong\"", Scene::new().answers(|_, _| Reply::Result(json!("pong"))))
        .passes(Scene::new().answers(|_, _| Reply::Result(json!({"_meta": {}}))))
}
