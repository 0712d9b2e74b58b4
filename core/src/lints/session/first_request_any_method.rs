//! `first_request_any_method`.

use crate::exchange::Reply;
use crate::lints::meta::lint;
use crate::lints::probes::{asked, fresh_list_probe, outcome};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, error},
};
use crate::probe::Probe;

lint! {
    /// A request other than `server/discover` fails as the first one of a connection.
    ///
    /// Each request stands for itself: clients that know the server already do not ask again what it can do.
    FirstRequestAnyMethod(Probe, Error) {}
    spec: "basic/index#statelessness", fix: "Keep nothing from one request for the next.", since: V2026_07_28
}

impl Lint for FirstRequestAnyMethod {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        vec![fresh_list_probe(context)]
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        for (_, exchange) in asked(context).filter(|(_, e)| matches!(e.reply, Reply::Error(_))) {
            problems.push(Problem::new(
                "refused",
                format!(
                    "{} as the first request of a connection got {}",
                    exchange.method,
                    outcome(exchange)
                ),
            ));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::protocol::Revision;
    use serde_json::json;

    let modern = || Scene::at(Revision::V2026_07_28);
    Examples::of(&ENTRY)
        .flags("as the first request", modern().answers(|_, _| error(-32600, "not initialized")))
        .passes(modern().answers(|_, _| Reply::Result(json!({"tools": []}))))
}
