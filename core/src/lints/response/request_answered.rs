//! `request_answered`.

use crate::exchange::Reply;
use crate::lints::look::cancelled_before;
use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, ResponseContext};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};

lint! {
    /// A request other than a tool call got no answer in time.
    ///
    /// The client waits until its own limit and then shows an error that says nothing.
    RequestAnswered(Response, Error) {}
    spec: "JSON-RPC 2.0 section 5", fix: "Answer every request that has an id, with an error if need be."
}

impl Lint for RequestAnswered {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        let exchange = context.exchange;
        let Reply::Silence { responsive } = exchange.reply else {
            return;
        };
        // Calls are `call_timely`'s, a subscription is not answered until it ends, and a server that does not open is not tested:
        // the one that opens has all the time to start that `startup_timeout` gives.
        let others = ["tools/call", "subscriptions/listen", "initialize", "server/discover"];
        if others.contains(&exchange.method.as_str()) {
            return;
        }
        // After a cancellation it is `cancel_breaks_server`.
        if cancelled_before(context).is_some() {
            return;
        }
        let state = if responsive {
            "the server still answered other requests"
        } else {
            "the server answered nothing else either"
        };
        let seconds = exchange.elapsed.as_secs_f64();
        problems.push(Problem::new(
            format!("no answer to {}", exchange.method),
            format!("{} got no answer in {seconds:.1} s; {state}", exchange.method),
        ));
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::exchange::Reply;
    use serde_json::json;

    let silent = |method: &str, responsive| {
        Scene::new().asked(method, json!({}), Reply::Silence { responsive })
    };
    Examples::of(&ENTRY)
        .flags("still answered other requests", silent("prompts/list", true))
        .flags("nothing else either", silent("prompts/list", false))
        .passes(silent("tools/call", true))
        .passes(silent("initialize", false))
        .passes(Scene::new().asked("ping", json!({}), Reply::Result(json!({}))))
}
