//! `meta_unknown_keys_tolerated`.

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
    /// A request with additional `_meta` members is refused.
    ///
    /// Clients and gateways add members of their own, such as trace ids.
    MetaUnknownKeysTolerated(Probe, Warning) {}
    spec: "basic/index#meta", fix: "Ignore members of `_meta` that are not known.", since: V2025_06_18
}

impl Lint for MetaUnknownKeysTolerated {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        let (method, params) = harmless(context);
        let more = json!({
            "com.example/tooltest": {"a": [1]},
            "traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
            "baggage": "k=v",
        });
        let request = ProbeRequest {
            method: method.to_owned(),
            params,
            meta: MetaOption::Patch(more),
            ..ProbeRequest::default()
        };
        vec![shared("unknown members of _meta", vec![ProbeStep::Request(request)])]
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        if let Some(exchange) =
            first(context).filter(|exchange| matches!(exchange.reply, Reply::Error(_)))
        {
            problems.push(Problem::new(
                "refused",
                format!(
                    "{} with additional _meta members got {}",
                    exchange.method,
                    outcome(exchange)
                ),
            ));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    Examples::of(&ENTRY)
        .flags("the error -32602", Scene::new().answers(|_, _| error(-32602, "unknown key")))
        .passes(Scene::new().answers(|_, _| Reply::Result(json!({}))))
}
