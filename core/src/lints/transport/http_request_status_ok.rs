//! `http_request_status_ok`.

use crate::exchange::Reply;
use crate::lints::look::is_streamable;
use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, ResponseContext};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, http},
};

lint! {
    /// A result comes with an HTTP status other than 200.
    ///
    /// Clients and proxies look at the status first and take the answer for a failure.
    HttpRequestStatusOk(Response, Warning) {}
    spec: "basic/transports#sending-messages-to-the-server", fix: "Send results with status 200.", since: V2025_03_26
}

impl Lint for HttpRequestStatusOk {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        let exchange = context.exchange;
        let (Some(http), Reply::Result(_)) = (&exchange.http, &exchange.reply) else {
            return;
        };
        if http.status != 200 && is_streamable(context.input, context.server) {
            let status = http.status;
            problems.push(Problem::new(
                format!("status {status}"),
                format!("the result of {} came with status {status}, not 200", exchange.method),
            ));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use serde_json::json;

    let answer = |status| {
        Scene::new()
            .over_http()
            .asked("tools/list", json!({}), Reply::Result(json!({"tools": []})))
            .http(http(status, "{}"))
    };
    Examples::of(&ENTRY).flags("status 201, not 200", answer(201)).passes(answer(200))
}
