//! `log_level_threshold`.

use crate::lints::meta::lint;
use crate::lints::probes::log_levels_probe;
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, frame},
};
use crate::probe::{Probe, ProbeStep};

lint! {
    /// Log messages come that are below the level which the client set.
    ///
    /// The client asked for quiet.
    LogLevelThreshold(Probe, Warning) {}
    spec: "server/utilities/logging", fix: "Compare each message's level with the one that was set last.", until: V2025_11_25
}

impl Lint for LogLevelThreshold {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        log_levels_probe(context)
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        for run in context.runs {
            let mut steps = run
                .probe
                .steps
                .iter()
                .zip(&run.steps)
                .skip_while(|(step, _)| !sets_emergency(step));
            let set = steps
                .next()
                .is_some_and(|(_, outcome)| outcome.exchanges.iter().any(|e| e.result().is_some()));
            let frames = steps.flat_map(|(_, outcome)| {
                outcome.exchanges.iter().flat_map(|exchange| &exchange.side)
            });
            let below = frames.into_iter().find_map(|frame| {
                let level = frame.value.as_ref()?.pointer("/params/level")?.as_str()?;
                (frame.method() == Some("notifications/message") && level != "emergency")
                    .then_some(level)
            });
            if let Some(level) = below.filter(|_| set) {
                problems.push(Problem::new(
                    "below",
                    format!(
                        "a log message of level {level} came after the level was set to emergency"
                    ),
                ));
            }
        }
    }
}

fn sets_emergency(step: &ProbeStep) -> bool {
    matches!(step, ProbeStep::Request(request) if request.params["level"] == "emergency")
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::exchange::Reply;
    use serde_json::json;

    let logs = |change| {
        Scene::new()
            .capabilities(json!({"logging": {}}))
            .answers(|_, _| Reply::Result(json!({})))
            .runs_changed(change)
    };
    Examples::of(&ENTRY)
    .flags("of level info", logs(|run| {
        let last = run.steps.len() - 1;
        let log = json!({"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": 1}});
        run.steps[last].exchanges[0].side.push(frame(&log));
    }))
    .passes(logs(|_| {}))
}
