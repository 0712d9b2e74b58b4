//! `listen_no_request_scoped`.

use crate::lints::meta::lint;
use crate::lints::probes::{asked, listen_probes};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{frame, listens},
};
use crate::probe::Probe;

lint! {
    /// A subscription delivers progress or log messages.
    ///
    /// Both belong to the request that caused them.
    ListenNoRequestScoped(Probe, Error) {}
    spec: "basic/transports/streamable-http#receiving-messages", fix: "Send progress and log messages on the stream of their own request.", since: V2026_07_28
}

impl Lint for ListenNoRequestScoped {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        listen_probes(context)
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        let frames = asked(context).flat_map(|(_, exchange)| &exchange.side);
        let method = frames
            .filter_map(|frame| frame.method())
            .find(|method| matches!(*method, "notifications/progress" | "notifications/message"));
        if let Some(method) = method {
            problems.push(Problem::new(
                method.to_owned(),
                format!("a subscription delivered {method}"),
            ));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use serde_json::json;

    Examples::of(&ENTRY)
        .flags(
            "delivered notifications/message",
            listens().runs_changed(|run| {
                run.steps[0].exchanges[0]
                    .side
                    .push(frame(&json!({"method": "notifications/message"})));
            }),
        )
        .passes(listens())
}
