//! `unknown_notification_tolerated`.

use crate::lints::meta::lint;
use crate::lints::probes::notification_probes;
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use crate::probe::Probe;

lint! {
    /// The server breaks down over a notification that it does not know.
    ///
    /// Notifications of later revisions and of extensions must do no harm.
    UnknownNotificationTolerated(Probe, Warning) {}
    spec: "basic/index#notifications", fix: "Ignore notifications that are not known."
}

impl Lint for UnknownNotificationTolerated {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        notification_probes(context)
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        if context.runs.iter().any(|run| run.survived() == Some(false)) {
            problems.push(Problem::new(
                "breakdown",
                "after notifications that it does not know, the server no longer answers",
            ));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::exchange::Reply;

    let silent = Scene::new().runs_changed(|run| {
        let last = run.steps.len() - 1;
        run.steps[last].exchanges[0].reply = Reply::Silence { responsive: false };
    });
    Examples::of(&ENTRY).flags("no longer answers", silent).passes(Scene::new())
}
