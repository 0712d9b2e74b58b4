//! `capability_implies_method`.

use crate::catalog::{ListKind, Listing};
use crate::exchange::{Exchange, Reply};
use crate::lints::look::declares;
use crate::lints::meta::lint;
use crate::lints::probes::{ask, asked, shared};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, error},
};
use crate::probe::Probe;
use crate::protocol::Era;
use serde_json::json;

lint! {
    /// A capability is declared, but its method does not exist.
    ///
    /// Clients ask as they were told and get an error.
    CapabilityImpliesMethod(Probe, Error) {}
    spec: "basic/lifecycle#capability-negotiation", fix: "Serve the method (an empty list will do), or do not declare the capability."
}

impl Lint for CapabilityImpliesMethod {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        let mut asks = Vec::new();
        if declares(context.server, "logging") && context.revision.era() == Era::Legacy {
            asks.push(ask("logging/setLevel", json!({"level": "info"})));
        }
        if declares(context.server, "completions") {
            let reference = json!({"type": "ref/prompt", "name": "tooltest-none"});
            asks.push(ask(
                "completion/complete",
                json!({"ref": reference, "argument": {"name": "x", "value": ""}}),
            ));
        }
        if asks.is_empty() {
            Vec::new()
        } else {
            vec![shared("methods of declared capabilities", asks)]
        }
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        for listing in context
            .list
            .catalog
            .listings
            .iter()
            .filter(|l| declares(context.list.server, l.list.capability()))
        {
            if let Some(problem) = missing_list(listing) {
                problems.push(problem);
            }
        }
        for (_, exchange) in asked(context).filter(|(_, exchange)| is_missing(exchange)) {
            let method = &exchange.method;
            let capability = if method.starts_with("logging") { "logging" } else { "completions" };
            problems.push(Problem::new(
                format!("no {method}"),
                format!("the capability {capability} is declared, but {method} is not found"),
            ));
        }
    }
}

fn missing_list(listing: &Listing) -> Option<Problem> {
    let missing = listing.pages.first().is_some_and(is_missing);
    let (capability, method) = (listing.list.capability(), listing.list.method());
    let problem = Problem::new(
        format!("no {method}"),
        format!("the capability {capability} is declared, but {method} is not found"),
    );
    // Many servers have resources and no templates.
    let problem = if listing.list == ListKind::Templates { problem.warning() } else { problem };
    missing.then_some(problem)
}

fn is_missing(exchange: &Exchange) -> bool {
    matches!(&exchange.reply, Reply::Error(error) if error.code == Some(-32601))
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    let scene = |capabilities| Scene::new().capabilities(capabilities);
    let mut listed = scene(json!({"prompts": {}})).page(ListKind::Prompts, json!({"prompts": []}));
    listed.listings[0].pages[0].reply = error(-32601, "Method not found");
    Examples::of(&ENTRY)
        .flags("prompts/list is not found", listed)
        .flags(
            "logging/setLevel is not found",
            scene(json!({"logging": {}})).answers(|_, _| error(-32601, "x")),
        )
        .passes(scene(json!({"logging": {}, "completions": {}})).answers(|_, _| error(-32602, "x")))
        .passes(scene(json!({})).answers(|_, _| error(-32601, "x")))
}
