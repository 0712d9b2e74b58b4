//! `resource_not_found_error`.

use crate::exchange::Reply;
use crate::lints::look::shorten;
use crate::lints::meta::lint;
use crate::lints::probes::{asked, missing_resource_probe, outcome};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{error, lists_resource},
};
use crate::probe::Probe;
use crate::protocol::Era;
use serde_json::Value;

lint! {
    /// Reading a resource that does not exist succeeds, or gets an odd error.
    ///
    /// With a result the client believes that it has read something; with an odd code it cannot tell that nothing is there from a failure.
    ResourceNotFoundError(Probe, Error) {}
    spec: "server/resources#error-handling", fix: "Answer -32002 up to 2025-11-25 and -32602 from 2026-07-28 on."
}

impl Lint for ResourceNotFoundError {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        missing_resource_probe(context)
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        let modern = context.list.revision.era() == Era::Modern;
        for (_, exchange) in asked(context) {
            let uri = exchange.params.get("uri").and_then(Value::as_str).unwrap_or_default();
            let problem = |rule: &str| {
                let got = outcome(exchange);
                Problem::new(
                    rule.to_owned(),
                    format!("reading {}, which does not exist, got {got}", shorten(uri, 80)),
                )
            };
            match &exchange.reply {
                // That is `resource_not_found_not_empty`.
                Reply::Result(result)
                    if result
                        .get("contents")
                        .and_then(Value::as_array)
                        .is_some_and(Vec::is_empty) => {}
                Reply::Result(_) if uri.starts_with("tooltest-unknown:") => {
                    problems.push(problem("success"));
                }
                // It may exist after all, where the server makes resources up as they are asked for.
                Reply::Result(_) => problems.push(problem("success").warning()),
                Reply::Error(error) => match error.code {
                    Some(-32602) => {}
                    Some(-32002) if !modern => {}
                    _ if modern => problems.push(problem("other code")),
                    _ => problems.push(problem("other code").warning()),
                },
                _ => {}
            }
        }
        problems.truncate(1);
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::protocol::Revision;
    use serde_json::json;

    Examples::of(&ENTRY)
        .flags(
            "which does not exist, got the result",
            lists_resource(Revision::V2025_11_25)
                .answers(|_, _| Reply::Result(json!({"contents": [{"text": ""}]}))),
        )
        .flags(
            "the error -32603",
            lists_resource(Revision::V2025_11_25).answers(|_, _| error(-32603, "x")),
        )
        .flags(
            "the error -32002",
            lists_resource(Revision::V2026_07_28).answers(|_, _| error(-32002, "x")),
        )
        .passes(
            lists_resource(Revision::V2025_11_25)
                .answers(|_, _| error(-32002, "Resource not found")),
        )
        .passes(
            lists_resource(Revision::V2026_07_28)
                .answers(|_, _| error(-32602, "Resource not found")),
        )
}
