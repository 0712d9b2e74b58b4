//! `auth_as_metadata`.

use crate::lints::meta::lint;
use crate::lints::probes::{Auth, auth_probe, endpoint_of, origin, path_of};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, http},
};
use crate::probe::Probe;
use serde_json::{Value, json};

lint! {
    /// The metadata of the authorization server lacks what clients need.
    ///
    /// They must not go on without PKCE (S256), nor with an issuer that is another than the one they asked.
    AuthAsMetadata(Probe, Warning) {}
    spec: "RFC 8414 section 3.3", fix: "State the issuer as it was asked for, and S256 in `code_challenge_methods_supported`.", since: V2025_03_26
}

impl Lint for AuthAsMetadata {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        auth_probe(context)
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        let Some(auth) = Auth::of(context).filter(Auth::is_protected) else {
            return;
        };
        let resource = auth.resource().unwrap_or_default();
        let issuer = resource
            .pointer("/authorization_servers/0")
            .and_then(Value::as_str)
            .unwrap_or_default();
        // Only an authorization server on the same host has been asked.
        let same_host =
            endpoint_of(context.list).and_then(origin) == origin(issuer) && path_of(issuer) == "/";
        if !same_host {
            return;
        }
        let Some(metadata) = auth.server_metadata() else {
            problems.push(Problem::new(
                "none",
                format!(
                    "the authorization server {issuer} has no metadata at its well-known paths"
                ),
            ));
            return;
        };
        let states = metadata.get("issuer").and_then(Value::as_str).unwrap_or_default();
        let methods = metadata.get("code_challenge_methods_supported").and_then(Value::as_array);
        if states.trim_end_matches('/') != issuer.trim_end_matches('/') {
            problems.push(Problem::new(
                "issuer",
                format!("the metadata of {issuer} states the issuer {states:?}"),
            ));
        } else if !methods.is_some_and(|methods| methods.contains(&json!("S256"))) {
            problems.push(Problem::new("S256", format!("the metadata of {issuer} does not list S256 in code_challenge_methods_supported")));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::probe::ProbeHttp;

    fn says(answer: crate::lints::scene::AnswerHttp) -> Scene {
        Scene::new().with_token().answers_http(answer)
    }
    const RESOURCE: &str = r#"{"resource":"http://127.0.0.1:8000/mcp","authorization_servers":["http://127.0.0.1:8000"]}"#;
    fn is_resource(request: &ProbeHttp) -> bool {
        request.path.as_deref().is_some_and(|path| path.contains("protected-resource"))
    }
    Examples::of(&ENTRY)
        .flags(
            "does not list S256",
            says(|request| match request.method.as_str() {
                "GET" if is_resource(request) => http(200, RESOURCE),
                "GET" => http(200, r#"{"issuer":"http://127.0.0.1:8000/"}"#),
                _ => http(401, ""),
            }),
        )
        .flags(
            "has no metadata",
            says(|request| match request.method.as_str() {
                "GET" if is_resource(request) => http(200, RESOURCE),
                "GET" => http(404, ""),
                _ => http(401, ""),
            }),
        )
        .passes(says(|request| match request.method.as_str() {
            "GET" if is_resource(request) => http(200, RESOURCE),
            "GET" => http(
                200,
                r#"{"issuer":"http://127.0.0.1:8000","code_challenge_methods_supported":["S256"]}"#,
            ),
            _ => http(401, ""),
        }))
}
