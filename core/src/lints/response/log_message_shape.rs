//! `log_message_shape`.

use crate::lints::look::notifications;
use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, ResponseContext};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, frame},
};
use crate::protocol::shapes;

lint! {
    /// A log message has no legal level, or no data.
    ///
    /// Clients filter and show log messages by their level; one with another level is lost.
    LogMessageShape(Response, Error) {}
    spec: "server/utilities/logging", fix: "Send `level` as one of debug, info, notice, warning, error, critical, alert, emergency, and the content as `data`."
}

impl Lint for LogMessageShape {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        let faults = notifications(context)
            .filter(|(method, _)| *method == "notifications/message")
            .flat_map(|(method, message)| {
                shapes::check_notification(context.revision, method, message)
            });
        if let Some(fault) = faults.into_iter().next() {
            problems.push(Problem::new(fault.rule(), format!("in a log message, {fault}")));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use serde_json::json;

    let log = |params| {
        let message =
            json!({"jsonrpc": "2.0", "method": "notifications/message", "params": params});
        Scene::new().call("tool", json!({}), json!({"content": []})).stray(frame(&message))
    };
    Examples::of(&ENTRY)
        .flags("/params/level", log(json!({"level": "warn", "data": "x"})))
        .flags("/params/data", log(json!({"level": "warning"})))
        .passes(log(json!({"level": "warning", "data": null})))
}
