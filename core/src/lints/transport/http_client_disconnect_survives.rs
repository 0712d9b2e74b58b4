//! `http_client_disconnect_survives`.

use crate::lints::meta::lint;
use crate::lints::probes::{breakdown, harmless, over_http, shared};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, silent_at_the_end},
};
use crate::probe::{Probe, ProbeBody, ProbeHttp, ProbeStep};

lint! {
    /// A client that goes away in the middle of a response breaks the server.
    ///
    /// Connections break all the time; other clients must not feel it.
    HttpClientDisconnectSurvives(Probe, Warning) {}
    spec: "basic/transports/streamable-http#cancellation", fix: "Handle the end of a connection like any other event.", since: V2025_03_26
}

impl Lint for HttpClientDisconnectSurvives {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        let (method, params) = harmless(context);
        let hasty = || {
            ProbeStep::Http(ProbeHttp {
                body: ProbeBody::Request(method.to_owned(), params.clone()),
                wait: Some(0),
                ..ProbeHttp::default()
            })
        };
        over_http(context, || shared("clients that go away", vec![hasty(), hasty(), hasty()]))
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        let what = "connections that were closed in the middle of responses";
        problems.extend(breakdown(context, what));
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    let run =
        |change: fn(&mut crate::probe::ProbeRun)| Scene::new().over_http().runs_changed(change);
    Examples::of(&ENTRY).flags("no longer answers", run(silent_at_the_end)).passes(run(|_| {}))
}
