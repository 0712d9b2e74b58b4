//! `sampling_deprecated_context`.

use crate::lints::look::{asks, client_capabilities, member};
use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, ResponseContext};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, frame},
};
use crate::pointer::Members;
use serde_json::Value;

lint! {
    /// A sampling request wants the context of servers included, which the client did not offer.
    ///
    /// Values other than `none` for `includeContext` are deprecated and mean something only to clients with
    /// `sampling.context`.
    SamplingDeprecatedContext(Response, Warning) {}
    spec: "client/sampling#capabilities", fix: "Leave `includeContext` out and put what is needed into the messages.", since: V2025_11_25
}

impl Lint for SamplingDeprecatedContext {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        let asks = asks(context);
        if asks.is_empty() || client_capabilities(context).pointer("/sampling/context").is_some() {
            return;
        }
        for (method, params) in asks {
            let wanted = member(params, "includeContext").as_str();
            if method == "sampling/createMessage"
                && matches!(wanted, Some("thisServer" | "allServers"))
            {
                let wanted = params.member("includeContext").unwrap_or(&Value::Null);
                problems.push(Problem::new(
                    "includeContext",
                    format!("a sampling request has includeContext {wanted}, which the client did not offer"),
                ));
                return;
            }
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use serde_json::json;

    let asks = |wanted: &str| {
        let params = json!({"maxTokens": 9, "messages": [], "includeContext": wanted});
        let ask = json!({"jsonrpc": "2.0", "id": 1, "method": "sampling/createMessage", "params": params});
        Scene::new().call("tool", json!({}), json!({"content": []})).stray(frame(&ask))
    };
    Examples::of(&ENTRY).flags("\"thisServer\"", asks("thisServer")).passes(asks("none"))
}
