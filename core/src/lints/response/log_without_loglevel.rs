//! `log_without_loglevel`.

use crate::lints::look::notifications;
use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, ResponseContext};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, frame},
};
use crate::pointer::Members;

lint! {
    /// The server sent a log message for a request that did not ask for any.
    ///
    /// In this revision a request says with `logLevel` in its `_meta` that it wants log messages; without it there are none.
    LogWithoutLoglevel(Response, Error) {}
    spec: "server/utilities/logging#per-request-log-level", fix: "Send log messages only for requests with a `logLevel`.", since: V2026_07_28
}

impl Lint for LogWithoutLoglevel {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        let meta = context.exchange.params.member("_meta");
        let asked =
            meta.is_some_and(|meta| meta.member("io.modelcontextprotocol/logLevel").is_some());
        if !asked && notifications(context).any(|(method, _)| method == "notifications/message") {
            problems.push(Problem::new(
                "log message unasked",
                format!(
                    "a log message came with {}, which had no logLevel",
                    context.exchange.method
                ),
            ));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::exchange::Reply;
    use crate::protocol::Revision;
    use serde_json::json;

    let list = |meta| {
        let log = json!({"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": 1}});
        Scene::at(Revision::V2026_07_28)
            .asked("tools/list", json!({"_meta": meta}), Reply::Result(json!({"tools": []})))
            .stray(frame(&log))
    };
    Examples::of(&ENTRY)
        .flags("which had no logLevel", list(json!({})))
        .passes(list(json!({"io.modelcontextprotocol/logLevel": "debug"})))
}
