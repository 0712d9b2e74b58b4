//! `input_request_capability`.

use crate::lints::look::{client_capabilities, input_required, member};
use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, ResponseContext};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use crate::pointer::Members;
use serde_json::Value;

lint! {
    /// The server asks for input that the request did not declare to be possible.
    ///
    /// The client cannot fulfil it, and the call can never be completed.
    InputRequestCapability(Response, Error) {}
    spec: "basic/patterns/mrtr#server-requirements-basic-workflow", fix: "Look at the request's `clientCapabilities` first; where one is missing, answer with -32021 or do without.", since: V2026_07_28
}

impl Lint for InputRequestCapability {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        let capabilities = client_capabilities(context);
        let requests = input_required(context)
            .filter_map(|result| result.member("inputRequests")?.as_object());
        for (key, request) in requests.flatten() {
            if let Some(missing) = missing(request, capabilities) {
                problems.push(Problem::new(
                    format!("needs {missing}"),
                    format!("the input request {key:?} needs {missing}, which the request did not declare"),
                ));
                return;
            }
        }
    }
}

/// The capability that a request needs and the client lacks.
fn missing(request: &Value, capabilities: &Value) -> Option<&'static str> {
    let has = |pointer: &str| capabilities.pointer(pointer).is_some();
    let params = member(request, "params");
    match member(request, "method").as_str()? {
        "roots/list" => (!has("/roots")).then_some("roots"),
        "sampling/createMessage" if !has("/sampling") => Some("sampling"),
        "sampling/createMessage" => {
            let tools = params.member("tools").is_some() || params.member("toolChoice").is_some();
            (tools && !has("/sampling/tools")).then_some("sampling.tools")
        }
        "elicitation/create" if !has("/elicitation") => Some("elicitation"),
        "elicitation/create" if member(params, "mode") == "url" => {
            (!has("/elicitation/url")).then_some("elicitation.url")
        }
        // An empty capability stands for the form mode.
        "elicitation/create" => {
            let only_url = has("/elicitation/url") && !has("/elicitation/form");
            only_url.then_some("elicitation.form")
        }
        _ => None,
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::exchange::Reply;
    use crate::protocol::Revision;
    use serde_json::json;

    let call = |capabilities: Value, request: Value| {
        let meta = json!({"io.modelcontextprotocol/clientCapabilities": capabilities});
        let result = json!({"resultType": "input_required", "inputRequests": {"k": request}});
        Scene::at(Revision::V2026_07_28).asked(
            "tools/call",
            json!({"_meta": meta}),
            Reply::Result(result),
        )
    };
    let url = || json!({"method": "elicitation/create", "params": {"mode": "url"}});
    Examples::of(&ENTRY)
        .flags("needs roots", call(json!({}), json!({"method": "roots/list"})))
        .flags("needs elicitation.url", call(json!({"elicitation": {}}), url()))
        .flags(
            "needs sampling.tools",
            call(
                json!({"sampling": {}}),
                json!({"method": "sampling/createMessage", "params": {"tools": []}}),
            ),
        )
        .passes(call(json!({"elicitation": {"url": {}}}), url()))
        .passes(call(
            json!({"elicitation": {}}),
            json!({"method": "elicitation/create", "params": {}}),
        ))
}
