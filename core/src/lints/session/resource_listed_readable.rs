//! `resource_listed_readable`.

use crate::exchange::Reply;
use crate::lints::look::shorten;
use crate::lints::meta::lint;
use crate::lints::probes::{ask, asked, outcome, shared};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, error},
};
use crate::probe::Probe;
use serde_json::{Value, json};

lint! {
    /// A listed resource cannot be read.
    ///
    /// Clients offer to their users what is listed.
    ResourceListedReadable(Probe, Warning) {
        /// How many listed resources are read at most.
        max: usize = 10,
    }
    spec: "server/resources#reading-resources", fix: "List only what can be read."
}

impl Lint for ResourceListedReadable {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        let listed = context.catalog.resources.iter().take(self.max);
        let reads: Vec<_> =
            listed.map(|resource| ask("resources/read", json!({"uri": resource.uri}))).collect();
        if reads.is_empty() { Vec::new() } else { vec![shared("listed resources", reads)] }
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        let failed = asked(context).find(|(_, exchange)| matches!(exchange.reply, Reply::Error(_)));
        if let Some((_, exchange)) = failed {
            let uri = exchange.params.get("uri").and_then(Value::as_str).unwrap_or_default();
            problems.push(Problem::new(
                "unreadable",
                format!(
                    "reading the listed resource {} got {}",
                    shorten(uri, 80),
                    outcome(exchange)
                ),
            ));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::catalog::ListKind;

    let listed =
        || Scene::new().item(ListKind::Resources, json!({"uri": "notes://1", "name": "n"}));
    Examples::of(&ENTRY)
        .flags(
            "reading the listed resource notes://1",
            listed().answers(|_, _| error(-32002, "Resource not found")),
        )
        .passes(listed().answers(|_, _| Reply::Result(json!({"contents": []}))))
}
