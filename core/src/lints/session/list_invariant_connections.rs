//! `list_invariant_connections`.

use crate::catalog::ListKind;
use crate::lints::meta::lint;
use crate::lints::probes::{asked, fresh_list_probe, item_keys};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use crate::probe::Probe;

lint! {
    /// Another connection sees another list.
    ///
    /// Lists must not depend on the connection: clients keep them and use them on the next one.
    ListInvariantConnections(Probe, Warning) {}
    spec: "server/tools#capabilities", fix: "Make lists from what the request says and who sent it, not from what happened on the connection.", since: V2026_07_28
}

impl Lint for ListInvariantConnections {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        vec![fresh_list_probe(context)]
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        for (_, exchange) in asked(context) {
            let Some(list) =
                ListKind::ALL.into_iter().find(|list| list.method() == exchange.method)
            else {
                continue;
            };
            let before = context
                .list
                .catalog
                .listing(list)
                .and_then(|listing| item_keys(listing.pages.first()?, list));
            let (Some(before), Some(after)) = (before, item_keys(exchange, list)) else {
                continue;
            };
            if let Some(odd) = before.symmetric_difference(&after).next() {
                problems.push(Problem::new(
                    exchange.method.clone(),
                    format!(
                        "{} lists {odd:?} on one connection and not on another",
                        exchange.method
                    ),
                ));
            }
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::exchange::Reply;
    use crate::protocol::Revision;
    use serde_json::json;

    let modern = || {
        Scene::at(Revision::V2026_07_28)
            .tool(json!({"name": "a", "inputSchema": {"type": "object"}}))
    };
    Examples::of(&ENTRY)
        .flags(
            "lists \"a\" on one connection",
            modern().answers(|_, _| Reply::Result(json!({"tools": []}))),
        )
        .passes(modern().answers(|_, _| Reply::Result(json!({"tools": [{"name": "a"}]}))))
}
