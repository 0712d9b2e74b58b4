//! `listen_supported_if_declared`.

use crate::exchange::Reply;
use crate::lints::meta::lint;
use crate::lints::probes::{asked, listen_probes, outcome};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, error},
};
use crate::probe::Probe;

lint! {
    /// Change notifications are declared, but `subscriptions/listen` is refused.
    ///
    /// It is the only way to get them in this revision.
    ListenSupportedIfDeclared(Probe, Error) {}
    spec: "server/tools#capabilities", fix: "Serve `subscriptions/listen`, or declare neither `listChanged` nor `subscribe`.", since: V2026_07_28
}

impl Lint for ListenSupportedIfDeclared {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        listen_probes(context)
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        if let Some((_, exchange)) =
            asked(context).find(|(_, e)| matches!(e.reply, Reply::Error(_)))
        {
            problems.push(Problem::new(
                "refused",
                format!("subscriptions/listen got {}", outcome(exchange)),
            ));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::protocol::Revision;
    use serde_json::json;

    let listens = |capabilities| Scene::at(Revision::V2026_07_28).capabilities(capabilities);
    Examples::of(&ENTRY)
        .flags(
            "the error -32601",
            listens(json!({"tools": {"listChanged": true}}))
                .answers(|_, _| error(-32601, "Method not found")),
        )
        .passes(
            listens(json!({"tools": {"listChanged": true}}))
                .answers(|_, _| Reply::Silence { responsive: true }),
        )
        .passes(listens(json!({"tools": {}})).answers(|_, _| error(-32601, "Method not found")))
}
