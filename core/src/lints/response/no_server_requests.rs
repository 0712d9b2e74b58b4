//! `no_server_requests`.

use crate::lints::look::requests;
use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, ResponseContext};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, frame},
};

lint! {
    /// The server sent a request, which this revision does not let it do.
    ///
    /// Clients of this revision do not answer requests: the tool that waits for the answer hangs.
    NoServerRequests(Response, Error) {}
    spec: "basic/patterns/index", fix: "Ask for input with an `input_required` result instead.", since: V2026_07_28
}

impl Lint for NoServerRequests {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        if let Some((method, _)) = requests(context).next() {
            problems.push(Problem::new(
                format!("request {method}"),
                format!("the server sent the request {method}"),
            ));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::protocol::Revision;
    use serde_json::json;

    let call = || {
        Scene::at(Revision::V2026_07_28).call(
            "tool",
            json!({}),
            json!({"resultType": "complete", "content": []}),
        )
    };
    let message = |message| frame(&message);
    Examples::of(&ENTRY)
        .flags(
            "elicitation/create",
            call()
                .stray(message(json!({"jsonrpc": "2.0", "id": 1, "method": "elicitation/create"}))),
        )
        .passes(
            call().stray(message(json!({"jsonrpc": "2.0", "method": "notifications/progress"}))),
        )
}
