//! `listen_filter_respected`.

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
    /// A subscription delivers what was not asked for.
    ///
    /// The filter says what the client wants to be woken for.
    ListenFilterRespected(Probe, Error) {}
    spec: "basic/patterns/subscriptions#receiving-notifications", fix: "Send only the kinds of notifications that the filter names.", since: V2026_07_28
}

impl Lint for ListenFilterRespected {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        listen_probes(context)
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        for (_, exchange) in asked(context) {
            let wants =
                |name: &str| exchange.params.pointer(&format!("/notifications/{name}")).is_some();
            let frames =
                exchange.side.iter().filter(|frame| frame.kind() == FrameKind::Notification);
            let unwanted = frames.filter_map(|frame| frame.method()).find(|method| match *method {
                "notifications/tools/list_changed" => !wants("toolsListChanged"),
                "notifications/prompts/list_changed" => !wants("promptsListChanged"),
                "notifications/resources/list_changed" => !wants("resourcesListChanged"),
                "notifications/resources/updated" => !wants("resourceSubscriptions"),
                _ => false,
            });
            if let Some(method) = unwanted {
                problems.push(Problem::new(
                    method.to_owned(),
                    format!("a subscription delivered {method}, which it did not ask for"),
                ));
                return;
            }
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use serde_json::json;

    Examples::of(&ENTRY)
        .flags(
            "notifications/resources/updated, which it did not ask for",
            listens().runs_changed(|run| {
                run.steps[0].exchanges[0]
                    .side
                    .push(frame(&json!({"method": "notifications/resources/updated"})));
            }),
        )
        .passes(listens().runs_changed(|run| {
            run.steps[0].exchanges[0]
                .side
                .push(frame(&json!({"method": "notifications/tools/list_changed"})));
        }))
}
