//! `http_bind_localhost`.

use crate::lints::meta::lint;
use crate::lints::probes::{endpoint_of, is_loopback};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use crate::probe::{Probe, ProbeSession, ProbeStep};

lint! {
    /// A server on this machine takes connections from other machines.
    ///
    /// Who is in the same network can use it, often without a token.
    HttpBindLocalhost(Probe, Disabled) {}
    spec: "basic/transports#security-warning", fix: "Bind to 127.0.0.1 (or ::1), not to 0.0.0.0."
}

impl Lint for HttpBindLocalhost {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        // Elsewhere, others are meant to reach it.
        let local = endpoint_of(context).filter(|url| is_loopback(url));
        let port = local.and_then(|url| url::Url::parse(url).ok()?.port_or_known_default());
        let Some(port) = port else {
            return Vec::new();
        };
        let steps = vec![ProbeStep::Reach { port, wait: 1000 }];
        let name = "a connection from outside".to_owned();
        vec![Probe { name, session: ProbeSession::Shared, steps }]
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        let mut steps = context.runs.iter().flat_map(|run| &run.steps);
        if let Some(address) = steps.find_map(|step| step.reached.as_deref()) {
            problems.push(Problem::new(
                "reached",
                format!("the server is meant for this machine, but takes connections at {address}"),
            ));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    let reached = |run: &mut crate::probe::ProbeRun| {
        run.steps[0].reached = Some("192.168.1.7:8000".to_owned());
    };
    Examples::of(&ENTRY)
        .flags("at 192.168.1.7:8000", Scene::new().over_http().runs_changed(reached))
        .passes(Scene::new().over_http())
        .passes(Scene::new())
}
