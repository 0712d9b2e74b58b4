//! `http_client_disconnect_survives`.

use crate::lints::meta::lint;
use crate::lints::probes::{harmless, over_http, shared};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
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
        if context.runs.iter().any(|run| run.survived() == Some(false)) {
            problems.push(Problem::new(
                "broken",
                "after connections were closed in the middle of responses, the server answered nothing more",
            ));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::exchange::Reply;

    let run =
        |change: fn(&mut crate::probe::ProbeRun)| Scene::new().over_http().runs_changed(change);
    Examples::of(&ENTRY)
        .flags(
            "answered nothing more",
            run(|run| {
                let last = run.steps.len() - 1;
                run.steps[last].exchanges[0].reply = Reply::Silence { responsive: false };
            }),
        )
        .passes(run(|_| {}))
}
