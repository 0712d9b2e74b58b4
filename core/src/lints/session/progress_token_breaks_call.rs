//! `progress_token_breaks_call`.

use crate::exchange::{Exchange, Reply};
use crate::lints::look::shorten;
use crate::lints::meta::lint;
use crate::lints::probes::ask;
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use crate::outcome::{Outcome, OutcomeKind, template};
use crate::probe::{Probe, ProbeSession, ProbeStep};
use crate::sequence::feedback::error_text;
use crate::session::MetaOption;
use serde_json::{Value, json};

lint! {
    /// A tool fails whenever a client asks for progress, and works when none is asked for.
    ///
    /// Many clients ask for progress with every call: for them the tool never works.
    ProgressTokenBreaksCall(Probe, Error) {
        /// How many calls are tried at most.
        max: usize = 9,
    }
    spec: "basic/utilities/progress#progress-flow", fix: "Send `progress` and `total` as numbers, and let no failure of a notification fail the call."
}

impl Lint for ProgressTokenBreaksCall {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        let calls = context.seen.refused.iter().take(self.max);
        let steps = calls.flat_map(|(tool, arguments)| {
            let params = json!({"name": tool, "arguments": arguments});
            let with = ask("tools/call", params.clone());
            let without = silent(params);
            // Twice, since a state that changes with each call looks the same once.
            [with.clone(), without.clone(), with, without]
        });
        let steps: Vec<ProbeStep> = steps.collect();
        let name = "refused calls with and without progress".to_owned();
        let probe = Probe { name, session: ProbeSession::Own, steps };
        if probe.steps.is_empty() { Vec::new() } else { vec![probe] }
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        let mut named: Vec<&str> = Vec::new();
        let Some(run) = context.runs.first() else { return };
        for first in (0..run.steps.len()).step_by(4) {
            let four = (first..first + 4).map(|step| run.exchange(step));
            let Some(exchanges) = four.collect::<Option<Vec<&Exchange>>>() else { continue };
            let tool = exchanges[0].params.get("name").and_then(Value::as_str).unwrap_or_default();
            if !fails_with_progress(&exchanges) || named.contains(&tool) {
                continue;
            }
            named.push(tool);
            let why = error_text(exchanges[0]);
            let message = format!(
                "`{tool}` works when no progress is asked for; the same call with a progress token is refused: {}",
                shorten(&why, 160)
            );
            problems.push(Problem::new("with a token only", message).tool(tool));
        }
    }
}

/// A request without the progress token that calls have otherwise.
fn silent(params: Value) -> ProbeStep {
    match ask("tools/call", params) {
        ProbeStep::Request(request) => {
            let meta = MetaOption::Patch(json!({"progressToken": null}));
            ProbeStep::Request(crate::probe::ProbeRequest { meta, ..request })
        }
        other => other,
    }
}

/// Refused with a token in the same words twice, and accepted without one each time after it.
fn fails_with_progress(exchanges: &[&Exchange]) -> bool {
    let kind = |at: usize| Outcome::of(exchanges[at]).kind;
    let words = |at: usize| template(&error_text(exchanges[at]));
    let refused = [0, 2].iter().all(|at| kind(*at).is_refusal());
    let accepted = [1, 3]
        .iter()
        .all(|at| kind(*at) == OutcomeKind::Ok && matches!(exchanges[*at].reply, Reply::Result(_)));
    refused && accepted && words(0) == words(2)
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::lints::scene::error;

    let refused = || Scene::new().refused_call("load", json!({"text": "a"}));
    let works: crate::lints::scene::Answer = |_, _| Reply::Result(json!({"content": []}));
    Examples::of(&ENTRY)
        .flags(
            "`load` works when no progress is asked for",
            refused().answers(works).runs_changed(|run| {
                for step in [0, 2] {
                    run.steps[step].exchanges[0].reply = error(-32602, "total: not a number");
                }
            }),
        )
        .passes(refused().answers(works))
        .passes(refused().answers(|_, _| error(-32602, "no such file")))
}
