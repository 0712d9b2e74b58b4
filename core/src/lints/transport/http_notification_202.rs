//! `http_notification_202`.

use crate::lints::meta::lint;
use crate::lints::probes::{message_of, notify, over_http, responses, shared};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, http},
};
use crate::probe::Probe;
use crate::protocol::Era;
use serde_json::json;

lint! {
    /// A notification is accepted with something other than status 202 and an empty body.
    ///
    /// Clients take a body for an answer that nobody asked for, and wait where there is none to come.
    HttpNotification202(Probe, Error) {}
    spec: "basic/transports#sending-messages-to-the-server", fix: "Answer notifications with status 202 and no body.", since: V2025_03_26
}

impl Lint for HttpNotification202 {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        let params = json!({"requestId": "tooltest-no-such-request"});
        let steps = || vec![notify("notifications/cancelled", params)];
        over_http(context, || shared("a notification over HTTP", steps()))
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        // A server may also refuse it.
        let accepted = responses(context).find(|(_, r)| (200..300).contains(&r.status));
        let Some((_, response)) = accepted else {
            return;
        };
        let status = response.status;
        let body = if message_of(response).is_some() {
            "with a message as its body"
        } else if response.body.is_empty() {
            "without a body"
        } else {
            "with a body"
        };
        if status == 202 && response.body.is_empty() {
            return;
        }
        let problem = Problem::new(
            format!("status {status} {body}"),
            format!(
                "a notification was accepted with status {status} {body}, not with 202 and no body"
            ),
        );
        // 2026-07-28 does not say which headers a notification needs.
        let harmless = message_of(response).is_none() || context.list.revision.era() == Era::Modern;
        problems.push(if harmless && status == 202 { problem.warning() } else { problem });
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    let answered =
        |change: fn(&mut crate::probe::ProbeRun)| Scene::new().over_http().runs_changed(change);
    Examples::of(&ENTRY)
        .flags(
            "status 200 with a message",
            answered(|run| {
                run.steps[0].http = Some(http(200, r#"{"jsonrpc":"2.0","result":{}}"#));
            }),
        )
        .flags("status 204 without a body", answered(|run| run.steps[0].http = Some(http(204, ""))))
        .passes(answered(|run| run.steps[0].http = Some(http(202, ""))))
        .passes(answered(|run| run.steps[0].http = Some(http(400, "{}"))))
}
