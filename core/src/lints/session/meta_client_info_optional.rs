//! `meta_client_info_optional`.

use crate::exchange::Reply;
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
    /// A request without `clientInfo` is refused.
    ///
    /// Clients may leave out who they are.
    MetaClientInfoOptional(Probe, Error) {}
    spec: "basic/index#meta", fix: "Serve requests without `clientInfo`.", since: V2026_07_28
}

impl Lint for MetaClientInfoOptional {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        let (method, params) = harmless(context);
        let meta = MetaOption::Patch(json!({"io.modelcontextprotocol/clientInfo": null}));
        let request =
            ProbeRequest { method: method.to_owned(), params, meta, ..ProbeRequest::default() };
        vec![shared("a request without clientInfo", vec![ProbeStep::Request(request)])]
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        if let Some(exchange) =
            first(context).filter(|exchange| matches!(exchange.reply, Reply::Error(_)))
        {
            problems.push(Problem::new(
                "refused",
                format!("{} without clientInfo got {}", exchange.method, outcome(exchange)),
            ));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::protocol::Revision;

    let modern = || Scene::at(Revision::V2026_07_28);
    Examples::of(&ENTRY)
        .flags(
            "without clientInfo got",
            modern().answers(|_, _| error(-32602, "missing clientInfo")),
        )
        .passes(modern().answers(|_, _| Reply::Result(json!({}))))
}
