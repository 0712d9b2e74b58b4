//! `resource_subscribe_roundtrip`.

use crate::exchange::Reply;
use crate::lints::look::{declares, show};
use crate::lints::meta::lint;
use crate::lints::probes::{ask, asked, outcome, shared};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, error},
};
use crate::probe::Probe;
use serde_json::json;

lint! {
    /// Subscriptions to resources are declared, but subscribing or unsubscribing fails.
    ///
    /// Clients that want to follow a resource cannot.
    ResourceSubscribeRoundtrip(Probe, Error) {}
    spec: "server/resources#subscriptions", fix: "Answer `resources/subscribe` and `resources/unsubscribe` with `{}`, or do not declare `subscribe`.", until: V2025_11_25
}

impl Lint for ResourceSubscribeRoundtrip {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        let Some(resource) = context
            .catalog
            .resources
            .first()
            .filter(|_| declares(context.server, "resources/subscribe"))
        else {
            return Vec::new();
        };
        let uri = json!({"uri": resource.uri});
        vec![shared(
            "a subscription to a resource",
            vec![ask("resources/subscribe", uri.clone()), ask("resources/unsubscribe", uri)],
        )]
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        for (_, exchange) in asked(context) {
            let method = &exchange.method;
            match &exchange.reply {
                Reply::Error(_) => {
                    problems.push(Problem::new(
                        method.clone(),
                        format!("{method} of a listed resource got {}", outcome(exchange)),
                    ));
                }
                Reply::Result(result)
                    if result.as_object().is_none_or(|r| r.keys().any(|key| key != "_meta")) =>
                {
                    problems.push(
                        Problem::new(
                            format!("{method} not empty"),
                            format!("{method} was answered with {}, not {{}}", show(result)),
                        )
                        .warning(),
                    );
                }
                _ => {}
            }
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::catalog::ListKind;

    let subscribable = || {
        Scene::new()
            .capabilities(json!({"resources": {"subscribe": true}}))
            .item(ListKind::Resources, json!({"uri": "notes://1", "name": "n"}))
    };
    Examples::of(&ENTRY)
        .flags(
            "resources/unsubscribe of a listed resource",
            subscribable().answers(|method, _| match method {
                "resources/subscribe" => Reply::Result(json!({})),
                _ => error(-32601, "Method not found"),
            }),
        )
        .passes(subscribable().answers(|_, _| Reply::Result(json!({}))))
        .passes(Scene::new().answers(|_, _| error(-32601, "Method not found")))
}
