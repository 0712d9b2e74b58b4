//! `resource_not_found_data_uri`.

use crate::exchange::Reply;
use crate::lints::meta::lint;
use crate::lints::probes::{asked, missing_resource_probe};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{error, lists_resource},
};
use crate::probe::Probe;

lint! {
    /// The error for a resource that does not exist does not name it in `data.uri`.
    ///
    /// Clients with several reads under way cannot tell the user which one failed.
    ResourceNotFoundDataUri(Probe, Disabled) {}
    spec: "server/resources#error-handling", fix: "Send `data: {uri}` with the error."
}

impl Lint for ResourceNotFoundDataUri {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        missing_resource_probe(context)
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        for (_, exchange) in asked(context) {
            let Reply::Error(error) = &exchange.reply else { continue };
            if error.raw.pointer("/data/uri") != exchange.params.get("uri") {
                problems.push(Problem::new(
                    "no data.uri",
                    "the error for an unknown resource does not name it in data.uri",
                ));
                return;
            }
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::exchange::RpcError;
    use crate::protocol::Revision;
    use serde_json::json;

    let listed = || lists_resource(Revision::V2025_11_25);
    Examples::of(&ENTRY)
        .flags("data.uri", listed().answers(|_, _| error(-32002, "Resource not found")))
        .passes(listed().answers(|_, params| {
            let raw = json!({"code": -32002, "message": "x", "data": {"uri": params["uri"]}});
            Reply::Error(RpcError { code: Some(-32002), message: String::new(), raw })
        }))
}
