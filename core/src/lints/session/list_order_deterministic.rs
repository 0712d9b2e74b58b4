//! `list_order_deterministic`.

use crate::catalog::ListKind;
use crate::exchange::Exchange;
use crate::lints::meta::lint;
use crate::lints::probes::{ask, asked, harmless, shared};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use crate::probe::Probe;

lint! {
    /// A list comes in another order when it is asked for again.
    ///
    /// The list goes into the model's context; a changed order makes cached prompts useless.
    ListOrderDeterministic(Probe, Warning) {}
    spec: "server/tools#capabilities", fix: "Sort the list, or keep it in a container that keeps its order.", since: V2026_07_28
}

impl Lint for ListOrderDeterministic {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        let (method, params) = harmless(context);
        vec![shared("the same list twice", vec![ask(method, params.clone()), ask(method, params)])]
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        for (_, exchange) in asked(context) {
            let Some(list) =
                ListKind::ALL.into_iter().find(|list| list.method() == exchange.method)
            else {
                return;
            };
            let first = context
                .list
                .catalog
                .listing(list)
                .and_then(|listing| names(listing.pages.first()?, list));
            let (Some(mut first), Some(mut again)) = (first, names(exchange, list)) else {
                return;
            };
            let differ = first != again;
            first.sort_unstable();
            again.sort_unstable();
            // Other items are another matter.
            if differ && first == again {
                problems.push(Problem::new(
                    exchange.method.clone(),
                    format!("{} came in another order the second time", exchange.method),
                ));
                return;
            }
        }
    }
}

fn names(page: &Exchange, list: ListKind) -> Option<Vec<&str>> {
    let items = page.result()?.get(list.member())?.as_array()?;
    Some(items.iter().filter_map(|item| item.get("name")?.as_str()).collect())
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::exchange::Reply;
    use crate::protocol::Revision;
    use serde_json::json;

    let tool = |name: &str| json!({"name": name, "inputSchema": {"type": "object"}});
    let modern = || Scene::at(Revision::V2026_07_28).tool(tool("a")).tool(tool("b"));
    Examples::of(&ENTRY)
        .flags(
            "in another order",
            modern()
                .answers(|_, _| Reply::Result(json!({"tools": [{"name": "b"}, {"name": "a"}]}))),
        )
        .passes(
            modern()
                .answers(|_, _| Reply::Result(json!({"tools": [{"name": "a"}, {"name": "b"}]}))),
        )
        .passes(modern().answers(|_, _| Reply::Result(json!({"tools": [{"name": "c"}]}))))
}
