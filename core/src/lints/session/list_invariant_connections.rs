//! `list_invariant_connections`.

use crate::catalog::ListKind;
use crate::lints::meta::lint;
use crate::lints::probes::{asked, fresh_list_probe, items};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use crate::mask::mask_value;
use crate::probe::Probe;
use serde_json::Value;

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
                .and_then(|listing| items(listing.pages.first()?, list));
            let (Some(before), Some(after)) = (before, items(exchange, list)) else {
                continue;
            };
            let method = &exchange.method;
            let mut names = before.keys().chain(after.keys());
            if let Some(odd) =
                names.find(|name| before.contains_key(*name) != after.contains_key(*name))
            {
                let message =
                    format!("{method} lists {odd:?} on one connection and not on another");
                problems.push(Problem::new(method.clone(), message));
                continue;
            }
            let masked = |item: &Value| {
                let mut item = item.clone();
                mask_value(&mut item);
                item
            };
            let other = before.iter().find(|(name, item)| {
                after.get(*name).is_some_and(|after| masked(after) != masked(item))
            });
            if let Some((name, _)) = other {
                let message =
                    format!("{method} describes {name:?} otherwise on another connection");
                let problem = Problem::new(format!("{method} item"), message);
                problems.push(if list == ListKind::Tools { problem.tool(name) } else { problem });
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
    let described = |text: &str| {
        let tool = json!({"name": "a", "description": text, "inputSchema": {"type": "object"}});
        Scene::at(Revision::V2026_07_28).tool(tool).answers(|_, _| {
            let item =
                json!({"name": "a", "description": "Node 2.", "inputSchema": {"type": "object"}});
            Reply::Result(json!({"tools": [item]}))
        })
    };
    Examples::of(&ENTRY)
        .flags("otherwise on another connection", described("Node 1."))
        .passes(described("Node 2."))
        .flags(
            "lists \"a\" on one connection",
            modern().answers(|_, _| Reply::Result(json!({"tools": []}))),
        )
        .passes(modern().answers(|_, _| {
            Reply::Result(json!({"tools": [{"name": "a", "inputSchema": {"type": "object"}}]}))
        }))
}
