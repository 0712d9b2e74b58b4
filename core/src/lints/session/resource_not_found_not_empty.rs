//! `resource_not_found_not_empty`.

use crate::lints::look::shorten;
use crate::lints::meta::lint;
use crate::lints::probes::{asked, missing_resource_probe};
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
    /// A resource that does not exist is read as empty.
    ///
    /// An empty list of contents says that the resource is there and has nothing in it.
    ResourceNotFoundNotEmpty(Probe, Error) {}
    spec: "server/resources#error-handling", fix: "Answer with an error."
}

impl Lint for ResourceNotFoundNotEmpty {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        missing_resource_probe(context)
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        for (_, exchange) in asked(context) {
            let contents = exchange.result().and_then(|result| result.get("contents")?.as_array());
            if contents.is_some_and(Vec::is_empty) {
                let uri = exchange.params.get("uri").and_then(Value::as_str).unwrap_or_default();
                let problem = Problem::new(
                    "empty",
                    format!(
                        "reading {}, which does not exist, gave empty contents",
                        shorten(uri, 80)
                    ),
                );
                let modern = context.list.revision.era() == Era::Modern;
                problems.push(if modern { problem } else { problem.warning() });
                return;
            }
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::exchange::Reply;
    use crate::protocol::Revision;
    use serde_json::json;

    let listed = || lists_resource(Revision::V2025_11_25);
    Examples::of(&ENTRY)
        .flags(
            "gave empty contents",
            listed().answers(|_, _| Reply::Result(json!({"contents": []}))),
        )
        .passes(listed().answers(|_, _| error(-32002, "Resource not found")))
}
