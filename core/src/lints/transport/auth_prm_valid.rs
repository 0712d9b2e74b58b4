//! `auth_prm_valid`.

use crate::lints::meta::lint;
use crate::lints::probes::{Auth, auth_probe, endpoint_of, origin, path_of};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, http},
};
use crate::probe::Probe;
use serde_json::Value;

lint! {
    /// The Protected Resource Metadata does not describe this server.
    ///
    /// Clients must not trust metadata of another resource, and need an authorization server to ask.
    AuthPrmValid(Probe, Error) {}
    spec: "RFC 9728 section 3.3", fix: "Set `resource` to the endpoint's address and list at least one authorization server.", since: V2025_06_18
}

impl Lint for AuthPrmValid {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        auth_probe(context)
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        let Some(metadata) =
            Auth::of(context).filter(Auth::is_protected).and_then(|auth| auth.resource())
        else {
            return;
        };
        let endpoint = endpoint_of(context.list).unwrap_or_default();
        let resource = metadata.get("resource").and_then(Value::as_str).unwrap_or_default();
        // The resource may be the endpoint or the whole host; behind a proxy the host has another name.
        let describes = origin(resource).is_some()
            && path_of(endpoint).starts_with(path_of(resource).trim_end_matches('/'));
        let servers = metadata.get("authorization_servers").and_then(Value::as_array);
        let named = servers.is_some_and(|servers| {
            !servers.is_empty()
                && servers.iter().all(|server| server.as_str().and_then(origin).is_some())
        });
        if !describes {
            problems.push(Problem::new(
                "resource",
                format!(
                    "the metadata's resource is {resource:?}, which does not stand for {endpoint}"
                ),
            ));
        } else if !named {
            problems.push(Problem::new(
                "authorization_servers",
                "the metadata lists no authorization server by its URL",
            ));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    fn says(answer: crate::lints::scene::AnswerHttp) -> Scene {
        Scene::new().with_token().answers_http(answer)
    }
    Examples::of(&ENTRY)
    .flags("which does not stand for", says(|request| match request.method.as_str() {
        "GET" => http(200, r#"{"resource":"http://127.0.0.1:8000/other","authorization_servers":["https://as.example"]}"#),
        _ => http(401, ""),
    }))
    .flags("lists no authorization server", says(|request| match request.method.as_str() {
        "GET" => http(200, r#"{"resource":"http://127.0.0.1:8000/mcp","authorization_servers":[]}"#),
        _ => http(401, ""),
    }))
    .passes(says(|request| match request.method.as_str() {
        "GET" => http(200, r#"{"resource":"http://127.0.0.1:8000/mcp","authorization_servers":["https://as.example"]}"#),
        _ => http(401, ""),
    }))
}
