//! `meta_missing_http_400`.

use crate::exchange::Reply;
use crate::lints::meta::lint;
use crate::lints::probes::{asked, meta_missing_probe, over_http};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, error, http},
};
use crate::probe::Probe;

lint! {
    /// A request without its `_meta` is refused with a status other than 400.
    ///
    /// Gateways that do not read bodies count the refusal as a success.
    MetaMissingHttp400(Probe, Error) {}
    spec: "basic/index#meta", fix: "Send the error with status 400.", since: V2026_07_28
}

impl Lint for MetaMissingHttp400 {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        over_http(context, || meta_missing_probe(context))
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        let refused =
            asked(context).filter_map(|(_, exchange)| match (&exchange.reply, &exchange.http) {
                (Reply::Error(error), Some(http))
                    if matches!(error.code, Some(-32602 | -32020)) =>
                {
                    Some((exchange, http.status))
                }
                _ => None,
            });
        for (exchange, status) in refused.filter(|(_, status)| *status != 400).take(1) {
            let method = &exchange.method;
            problems.push(Problem::new(
                format!("status {status}"),
                format!("{method} without its _meta was refused with status {status}, not 400"),
            ));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::protocol::Revision;

    let modern = |change: fn(&mut crate::probe::ProbeRun)| {
        Scene::at(Revision::V2026_07_28)
            .over_http()
            .answers(|_, _| error(-32602, "missing"))
            .runs_changed(change)
    };
    Examples::of(&ENTRY)
        .flags(
            "status 200, not 400",
            modern(|run| run.steps[0].exchanges[0].http = Some(http(200, "{}"))),
        )
        .passes(modern(|run| run.steps[0].exchanges[0].http = Some(http(400, "{}"))))
}
