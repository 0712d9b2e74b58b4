//! `method_implies_capability`.

use crate::catalog::ListKind;
use crate::lints::look::declares;
use crate::lints::meta::lint;
use crate::lints::probes::{asked, undeclared_probes};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, error},
};
use crate::probe::Probe;

lint! {
    /// The server offers something without declaring the capability for it.
    ///
    /// Clients ask only for what is declared: what the server offers stays hidden from them.
    MethodImpliesCapability(Probe, Error) {}
    spec: "basic/lifecycle#capability-negotiation", fix: "Declare the capability in the answer that opens the session."
}

impl Lint for MethodImpliesCapability {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        undeclared_probes(context)
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        let mut report = |list: ListKind, count: usize| {
            let (member, capability) = (list.member(), list.capability());
            problems.push(Problem::new(
                format!("{capability} not declared"),
                format!("the server lists {count} {member} but does not declare the capability {capability}"),
            ));
        };
        let catalog = context.list.catalog;
        if !declares(context.list.server, "tools") && !catalog.tools.is_empty() {
            report(ListKind::Tools, catalog.tools.len());
        }
        for (_, exchange) in asked(context) {
            let Some(list) =
                ListKind::ALL.into_iter().find(|list| list.method() == exchange.method)
            else {
                continue;
            };
            let items = exchange.result().and_then(|result| result.get(list.member())?.as_array());
            // Templates come with resources: one finding is enough.
            let counts = list != ListKind::Tools && list != ListKind::Templates;
            if let Some(items) = items.filter(|items| counts && !items.is_empty()) {
                report(list, items.len());
            }
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::exchange::Reply;
    use serde_json::json;

    let lists = |capabilities| {
        Scene::new().capabilities(capabilities).answers(|method, _| match method {
            "prompts/list" => Reply::Result(json!({"prompts": [{"name": "p"}]})),
            _ => error(-32601, "x"),
        })
    };
    let silent = Scene::new()
        .capabilities(json!({}))
        .tool(json!({"name": "t", "inputSchema": {"type": "object"}}));
    Examples::of(&ENTRY)
        .flags("1 prompts but does not declare", lists(json!({"tools": {}, "resources": {}})))
        .flags("1 tools but does not declare", silent)
        .passes(lists(json!({"tools": {}, "resources": {}, "prompts": {}})))
}
