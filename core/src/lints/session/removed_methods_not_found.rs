//! `removed_methods_not_found`.

use crate::exchange::Reply;
use crate::lints::meta::lint;
use crate::lints::probes::{ask, asked, outcome, shared};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, error},
};
use crate::probe::{Probe, ProbeRequest, ProbeStep};
use serde_json::json;

lint! {
    /// A method that this revision has removed is still there.
    ///
    /// Clients that try old methods must learn from -32601 that they are gone.
    RemovedMethodsNotFound(Probe, Warning) {}
    spec: "basic/transports/streamable-http#protocol-version-header", fix: "Answer ping, logging/setLevel, resources/subscribe and resources/unsubscribe with -32601.", since: V2026_07_28
}

impl Lint for RemovedMethodsNotFound {
    fn probes(&self, _context: &ListContext<'_>) -> Vec<Probe> {
        // Some servers want the header that goes with a name or URI whatever the method.
        let with_uri = |method: &str| {
            let uri = "tooltest://none";
            ProbeStep::Request(ProbeRequest {
                method: method.to_owned(),
                params: json!({ "uri": uri }),
                headers: vec![("Mcp-Name".to_owned(), Some(uri.to_owned()))],
                ..ProbeRequest::default()
            })
        };
        let asks = vec![
            ask("ping", json!({})),
            ask("logging/setLevel", json!({"level": "info"})),
            with_uri("resources/subscribe"),
            with_uri("resources/unsubscribe"),
        ];
        vec![shared("methods that were removed", asks)]
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        for (_, exchange) in asked(context) {
            let gone = match &exchange.reply {
                Reply::Result(_) => false,
                // What the headers lack hides what the server makes of the method.
                Reply::Error(error) => matches!(error.code, Some(-32601 | -32020)),
                _ => true,
            };
            if !gone {
                let method = &exchange.method;
                problems.push(Problem::new(
                    method.clone(),
                    format!(
                        "{method}, which this revision does not have, got {}",
                        outcome(exchange)
                    ),
                ));
            }
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::protocol::Revision;

    let modern = || Scene::at(Revision::V2026_07_28);
    Examples::of(&ENTRY)
        .flags(
            "ping, which this revision does not have",
            modern().answers(|method, _| match method {
                "ping" => Reply::Result(json!({})),
                _ => error(-32601, "Method not found"),
            }),
        )
        .passes(modern().answers(|_, _| error(-32601, "Method not found")))
}
