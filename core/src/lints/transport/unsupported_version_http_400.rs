//! `unsupported_version_http_400`.

use crate::exchange::Reply;
use crate::lints::meta::lint;
use crate::lints::probes::{asked, over_http, unsupported_version_probe};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, error, http},
};
use crate::probe::Probe;

lint! {
    /// A request for a version that is not supported is refused with a status other than 400.
    ///
    /// Clients that try several versions look at the status first.
    UnsupportedVersionHttp400(Probe, Error) {}
    spec: "basic/transports/streamable-http#protocol-version-header", fix: "Send the error -32022 with status 400.", since: V2026_07_28
}

impl Lint for UnsupportedVersionHttp400 {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        over_http(context, || unsupported_version_probe(context))
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        let refused =
            asked(context).filter_map(|(_, exchange)| match (&exchange.reply, &exchange.http) {
                (Reply::Error(error), Some(http)) if error.code == Some(-32022) => {
                    Some(http.status)
                }
                _ => None,
            });
        if let Some(status) = refused.into_iter().find(|status| *status != 400) {
            problems.push(Problem::new(
                format!("status {status}"),
                format!(
                    "a request for the version 1900-01-01 was refused with status {status}, not 400"
                ),
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
            .answers(|_, _| error(-32022, "no"))
            .runs_changed(change)
    };
    Examples::of(&ENTRY)
        .flags(
            "status 200, not 400",
            modern(|run| run.steps[0].exchanges[0].http = Some(http(200, "{}"))),
        )
        .passes(modern(|run| run.steps[0].exchanges[0].http = Some(http(400, "{}"))))
}
