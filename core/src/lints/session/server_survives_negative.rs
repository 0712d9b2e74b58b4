//! `server_survives_negative`.

use crate::exchange::Reply;
use crate::lints::meta::lint;
use crate::lints::{Lint, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, exchange},
};
use crate::probe::{ProbeRun, ProbeSession};

lint! {
    /// After a faulty message the server no longer answers good ones.
    ///
    /// One client's mistake then ends the service for all, or at least for the session.
    ServerSurvivesNegative(Probe, Error) {}
    spec: "basic/index#error-responses", fix: "Treat whatever comes in as data: refuse it and go on reading."
}

impl Lint for ServerSurvivesNegative {
    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        let rough = context.all.iter().filter(|run| run.probe.session == ProbeSession::Rough);
        for run in rough.filter(|run| run.survived() == Some(false)) {
            let name = &run.probe.name;
            problems.push(Problem::new(
                name.clone(),
                format!("after {name}, the server {}", end_of(run)),
            ));
        }
    }
}

/// How it shows that the server no longer answers.
fn end_of(run: &ProbeRun) -> String {
    let mut replies =
        run.steps.iter().flat_map(|step| &step.exchanges).map(|exchange| &exchange.reply);
    match replies.next_back() {
        Some(Reply::Closed(exit)) => match (exit.code, exit.signal) {
            (Some(code), _) => format!("ended with code {code}"),
            (_, Some(signal)) => format!("was ended by signal {signal}"),
            _ => "closed the connection".to_owned(),
        },
        Some(Reply::Silence { .. }) => "no longer answers good requests".to_owned(),
        _ => "is gone".to_owned(),
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::exchange::Exit;
    use crate::lints::probes::{raw, rough};
    use crate::probe::ProbeOutcome;
    use serde_json::json;

    let after = |reply: Reply| {
        let fence = ProbeOutcome {
            exchanges: vec![exchange("ping", json!({}), reply)],
            alive: true,
            ..ProbeOutcome::default()
        };
        let steps = vec![ProbeOutcome { alive: true, ..ProbeOutcome::default() }, fence];
        let run = ProbeRun {
            probe: rough("text that is no JSON", vec![raw("{")]),
            steps,
            not_run: None,
            closing: None,
        };
        Scene::new().probed(vec![run])
    };
    Examples::of(&ENTRY)
        .flags(
            "after text that is no JSON, the server ended with code 1",
            after(Reply::Closed(Exit { code: Some(1), ..Exit::default() })),
        )
        .flags("no longer answers", after(Reply::Silence { responsive: false }))
        .passes(after(Reply::Result(json!({}))))
}
