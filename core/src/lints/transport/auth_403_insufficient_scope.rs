//! `auth_403_insufficient_scope`.

use crate::lints::look::is_http;
use crate::lints::meta::lint;
use crate::lints::probes::{challenge_parameter, harmless, has_result, post, responses, shared};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, http},
};
use crate::probe::Probe;
use serde_json::json;

lint! {
    /// A token that does not reach far enough is not told so.
    ///
    /// With 403 and `error="insufficient_scope"` a client asks for the scope; with anything else it gives up, or logs in again.
    Auth403InsufficientScope(Probe, Disabled) {
        /// A valid token without the scope that is needed; nothing is asked without one.
        token: String = String::new(),
        /// The tool that the token must not allow; without one, a list must not be allowed.
        tool: String = String::new(),
    }
    spec: "basic/authorization#scope-challenge-handling", fix: "Answer 403 with `WWW-Authenticate: Bearer error=\"insufficient_scope\", scope=\"…\"`.", since: V2025_11_25
}

impl Lint for Auth403InsufficientScope {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        if !is_http(context.input) || self.token.is_empty() {
            return Vec::new();
        }
        let (method, params) = if self.tool.is_empty() {
            harmless(context)
        } else {
            let seen = context.seen.calls.iter().find(|(tool, _)| *tool == self.tool);
            let arguments = seen.map_or_else(|| json!({}), |(_, arguments)| arguments.clone());
            ("tools/call", json!({"name": self.tool, "arguments": arguments}))
        };
        let bearer = format!("Bearer {}", self.token);
        let step = post(method, params, &[("Authorization", Some(bearer.as_str()))]);
        vec![shared("a token of too little scope", vec![step])]
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        for (_, response) in responses(context) {
            let challenge = response.header("www-authenticate").unwrap_or_default();
            let error = challenge_parameter(challenge, "error");
            let message = match response.status {
                403 if error.as_deref() == Some("insufficient_scope") => continue,
                403 => "got status 403 without error=\"insufficient_scope\"".to_owned(),
                _ if has_result(response) => "was served".to_owned(),
                status => format!("got status {status}, not 403"),
            };
            problems.push(Problem::new(
                message.clone(),
                format!("a request whose token has too little scope {message}"),
            ));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::exchange::HttpExchange;
    use serde_json::Value;

    fn refused(challenge: &str) -> HttpExchange {
        let mut refusal = http(403, "");
        refusal.headers.push(("WWW-Authenticate".to_owned(), challenge.to_owned()));
        refusal
    }
    let with = |params: Value, answer| Scene::new().over_http().params(params).answers_http(answer);
    let token = || json!({"token": "narrow"});
    let tool = || json!({"token": "narrow", "tool": "drop"});
    Examples::of(&ENTRY)
        .flags("was served", with(tool(), |_| http(200, r#"{"result":{}}"#)))
        .flags("got status 401, not 403", with(token(), |_| http(401, "")))
        .flags("without error=", with(token(), |_| refused("Bearer")))
        .passes(with(token(), |_| refused("Bearer error=\"insufficient_scope\", scope=\"write\"")))
        .passes(Scene::new().over_http().answers_http(|_| http(200, r#"{"result":{}}"#)))
}
