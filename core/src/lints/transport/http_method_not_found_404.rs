//! `http_method_not_found_404`.

use crate::exchange::Reply;
use crate::lints::meta::lint;
use crate::lints::probes::{ask, first, over_http, shared};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, error, http},
};
use crate::probe::Probe;
use serde_json::json;

lint! {
    /// An unknown method is refused with a status other than 404.
    ///
    /// Gateways that do not read bodies count the refusal as a success.
    HttpMethodNotFound404(Probe, Error) {}
    spec: "basic/transports/streamable-http#protocol-version-header", fix: "Send the error -32601 with status 404.", since: V2026_07_28
}

impl Lint for HttpMethodNotFound404 {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        let steps = || vec![ask("tooltest/unknown", json!({}))];
        over_http(context, || shared("an unknown method", steps()))
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        let Some(exchange) = first(context) else {
            return;
        };
        let (Reply::Error(error), Some(response)) = (&exchange.reply, &exchange.http) else {
            return;
        };
        let status = response.status;
        // Another code is `unknown_method_code`.
        if error.code == Some(-32601) && status != 404 {
            problems.push(Problem::new(
                format!("status {status}"),
                format!("an unknown method was refused with status {status}, not 404"),
            ));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::protocol::Revision;

    let modern = || {
        Scene::at(Revision::V2026_07_28)
            .over_http()
            .answers(|_, _| error(-32601, "Method not found"))
    };
    Examples::of(&ENTRY)
        .flags(
            "status 200, not 404",
            modern().runs_changed(|run| {
                run.steps[0].exchanges[0].http = Some(http(200, "{}"));
            }),
        )
        .passes(modern().runs_changed(|run| run.steps[0].exchanges[0].http = Some(http(404, "{}"))))
        .passes(modern())
}
