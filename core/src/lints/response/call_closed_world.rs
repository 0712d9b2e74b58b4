//! `call_closed_world`.

use crate::lints::answers::refusal_text;
use crate::lints::look::shorten;
use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, ResponseContext};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use serde_json::json;

lint! {
    /// A tool that says it keeps to a closed world uses the network.
    ///
    /// Clients let such tools run without asking. Seen where there is no network: then the tool fails, and says why.
    CallClosedWorld(Response, Disabled) {}
    spec: "schema#toolannotations", fix: "Set `openWorldHint: true`, or leave the hint out.", since: V2025_03_26
}

/// What programs say where names cannot be looked up or nothing is reachable, in lower case.
const NO_NETWORK: [&str; 10] = [
    "getaddrinfo",
    "enotfound",
    "enetunreach",
    "eai_again",
    "name or service not known",
    "temporary failure in name resolution",
    "nodename nor servname provided",
    "could not resolve host",
    "no such host",
    "network is unreachable",
];

impl Lint for CallClosedWorld {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        let closed = context.tool.is_some_and(|tool| {
            tool.raw.pointer("/annotations/openWorldHint") == Some(&json!(false))
        });
        let Some(text) = refusal_text(context).filter(|_| closed) else {
            return;
        };
        let (said, sent) =
            (text.to_lowercase(), context.exchange.params.to_string().to_lowercase());
        if NO_NETWORK.iter().any(|words| said.contains(words) && !sent.contains(words)) {
            problems.push(Problem::new(
                "network",
                format!(
                    "`openWorldHint` is false, but the call failed for want of a network: {}",
                    shorten(&text, 120)
                ),
            ));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    let call = |open: bool, text: &str| {
        let tool = json!({"name": "tool", "inputSchema": {"type": "object"}, "annotations": {"openWorldHint": open}});
        let result = json!({"isError": true, "content": [{"type": "text", "text": text}]});
        Scene::new().tool(tool).call("tool", json!({}), result)
    };
    let failed = "fetch failed: getaddrinfo ENOTFOUND api.example.com";
    Examples::of(&ENTRY)
        .flags("for want of a network", call(false, failed))
        .passes(call(true, failed))
        .passes(call(false, "there is no such note"))
}
