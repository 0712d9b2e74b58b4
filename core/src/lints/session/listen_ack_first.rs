//! `listen_ack_first`.

use crate::exchange::Reply;
use crate::lints::meta::lint;
use crate::lints::probes::{asked, listen_probes};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{frame, listens},
};
use crate::message::FrameKind;
use crate::probe::Probe;

lint! {
    /// A subscription does not begin with its acknowledgement.
    ///
    /// Until it comes, the client does not know what it is subscribed to.
    ListenAckFirst(Probe, Error) {}
    spec: "basic/patterns/subscriptions#acknowledgment", fix: "Send `notifications/subscriptions/acknowledged` first.", since: V2026_07_28
}

impl Lint for ListenAckFirst {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        listen_probes(context)
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        for (_, exchange) in
            asked(context).filter(|(_, e)| !matches!(e.reply, Reply::Error(_) | Reply::Closed(_)))
        {
            let first = exchange.side.iter().find(|frame| frame.kind() == FrameKind::Notification);
            let what = match first.and_then(|frame| frame.method()) {
                Some("notifications/subscriptions/acknowledged") => continue,
                Some(method) => format!("began with {method}"),
                None => "was not acknowledged".to_owned(),
            };
            problems.push(Problem::new(what.clone(), format!("a subscription {what}")));
            return;
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use serde_json::json;

    Examples::of(&ENTRY)
        .flags("was not acknowledged", listens())
        .flags(
            "began with notifications/tools/list_changed",
            listens().runs_changed(|run| {
                run.steps[0].exchanges[0].side.push(frame(
                    &json!({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"}),
                ));
            }),
        )
        .passes(listens().runs_changed(|run| {
            run.steps[0].exchanges[0].side.push(frame(
                &json!({"jsonrpc": "2.0", "method": "notifications/subscriptions/acknowledged"}),
            ));
        }))
}
