//! `meta_missing_rejected`.

use crate::exchange::Reply;
use crate::lints::look::is_http;
use crate::lints::meta::lint;
use crate::lints::probes::{META_MISSING, asked, meta_missing_probe, outcome};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, error},
};
use crate::probe::Probe;

lint! {
    /// A request without the members that every request must carry is served.
    ///
    /// The server then works with a version and capabilities that nobody named.
    MetaMissingRejected(Probe, Error) {}
    spec: "basic/index#meta", fix: "Refuse requests whose `_meta` lacks protocolVersion or clientCapabilities with -32602.", since: V2026_07_28
}

impl Lint for MetaMissingRejected {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        vec![meta_missing_probe(context)]
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        for ((_, exchange), missing) in asked(context).zip(META_MISSING) {
            let method = &exchange.method;
            match &exchange.reply {
                Reply::Result(_) => problems.push(Problem::new(
                    format!("served without {missing}"),
                    format!("{method} without {missing} was served"),
                )),
                Reply::Error(error) if error.code == Some(-32602) => {}
                // The header names the version, the body does not: two rules meet.
                Reply::Error(error)
                    if error.code == Some(-32020) && is_http(context.list.input) => {}
                Reply::Error(_) => problems.push(
                    Problem::new(
                        format!("other code without {missing}"),
                        format!("{method} without {missing} got {}, not -32602", outcome(exchange)),
                    )
                    .warning(),
                ),
                _ => {}
            }
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::protocol::Revision;
    use serde_json::json;

    let modern = || Scene::at(Revision::V2026_07_28);
    let refuses_but_first = |run: &mut crate::probe::ProbeRun| {
        for step in &mut run.steps[1..] {
            step.exchanges[0].reply = error(-32602, "missing");
        }
    };
    Examples::of(&ENTRY)
        .flags(
            "without _meta was served",
            modern()
                .answers(|_, _| Reply::Result(json!({"tools": []})))
                .runs_changed(refuses_but_first),
        )
        .flags(
            "got the error -32600",
            modern().answers(|_, _| error(-32600, "x")).runs_changed(refuses_but_first),
        )
        .passes(modern().answers(|_, _| error(-32602, "missing")))
}
