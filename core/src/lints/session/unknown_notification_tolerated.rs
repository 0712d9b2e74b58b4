//! `unknown_notification_tolerated`.

use crate::lints::meta::lint;
use crate::lints::probes::{breakdown, notification_probes};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, silent_at_the_end},
};
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
        problems.extend(breakdown(context, "notifications that it does not know"));
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    let silent = Scene::new().runs_changed(silent_at_the_end);
    Examples::of(&ENTRY).flags("no longer answers", silent).passes(Scene::new())
}
