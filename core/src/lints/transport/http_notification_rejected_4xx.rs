//! `http_notification_rejected_4xx`.

use crate::lints::meta::lint;
use crate::lints::probes::{over_http, raw, responses, rough};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, http},
};
use crate::probe::Probe;

lint! {
    /// A notification that makes no sense is accepted.
    ///
    /// The client never learns that it was not understood.
    HttpNotificationRejected4xx(Probe, Disabled) {}
    spec: "basic/transports#sending-messages-to-the-server", fix: "Answer notifications that cannot be accepted with 400.", since: V2025_03_26
}

impl Lint for HttpNotificationRejected4xx {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        let broken = r#"{"jsonrpc":"2.0","method":5}"#;
        over_http(context, || rough("a notification without a method", vec![raw(broken)]))
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        for (_, response) in responses(context).filter(|(_, r)| !(400..500).contains(&r.status)) {
            let status = response.status;
            problems.push(Problem::new(
                format!("status {status}"),
                format!("a notification whose method is a number got status {status}, not 4xx"),
            ));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    let answered =
        |change: fn(&mut crate::probe::ProbeRun)| Scene::new().over_http().runs_changed(change);
    Examples::of(&ENTRY)
        .flags("status 202, not 4xx", answered(|run| run.steps[0].http = Some(http(202, ""))))
        .passes(answered(|run| run.steps[0].http = Some(http(400, ""))))
}
