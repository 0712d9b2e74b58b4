//! Probes of authorization: what the server says to who has no token, and the metadata that it names.

use super::{bare, harmless, origin, post};
use crate::exchange::HttpExchange;
use crate::input::Target;
use crate::lints::{ListContext, ProbeContext};
use crate::probe::{Probe, ProbeHttp, ProbeRun, ProbeSession, ProbeStep};
use serde_json::Value;

/// The URL of an HTTP endpoint, of either transport.
pub(in crate::lints) fn endpoint_of<'a>(context: &ListContext<'a>) -> Option<&'a str> {
    match &context.input.target {
        Target::Http(target) | Target::Sse(target) => Some(&target.url),
        Target::Stdio(_) | Target::InProcess(_) => None,
    }
}

/// The path and query of a URL.
pub(in crate::lints) fn path_of(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.find('/').map_or("/", |at| rest[at..].split('#').next().unwrap_or("/"))
}

/// GET of a path on the target's host.
pub(in crate::lints) fn get(path: &str, headers: &[(&str, Option<&str>)], wait: u64) -> ProbeStep {
    match bare("GET", headers, wait) {
        ProbeStep::Http(request) => {
            ProbeStep::Http(ProbeHttp { path: Some(path.to_owned()), ..request })
        }
        other => other,
    }
}

/// Requests with no token and with a wrong one, and for the metadata that stands at fixed places; all lints of authorization
/// judge these. Nothing where the input has no token: then either none is needed, or the session could not be opened.
pub(in crate::lints) fn auth_probe(context: &ListContext<'_>) -> Vec<Probe> {
    let Target::Http(target) = &context.input.target else {
        return Vec::new();
    };
    let has_token = target.auth_token.is_some()
        || target.headers.keys().any(|name| name.eq_ignore_ascii_case("authorization"));
    if !has_token {
        return Vec::new();
    }
    let (method, params) = harmless(context);
    let none = [("Authorization", None)];
    let wrong = [("Authorization", Some("Bearer tooltest-invalid-token"))];
    let path = path_of(&target.url).split('?').next().unwrap_or("/").trim_end_matches('/');
    let of_resource = "/.well-known/oauth-protected-resource";
    let mut steps = vec![post(method, params.clone(), &none), post(method, params, &wrong)];
    steps.extend(
        [
            format!("{of_resource}{path}"),
            of_resource.to_owned(),
            "/.well-known/oauth-authorization-server".to_owned(),
            "/.well-known/openid-configuration".to_owned(),
        ]
        .iter()
        .map(|path| get(path, &none, 3000)),
    );
    let name = "requests without a token".to_owned();
    vec![Probe { name, session: ProbeSession::Own, steps }]
}

/// What came of [`auth_probe`].
pub(in crate::lints) struct Auth<'a> {
    run: &'a ProbeRun,
    /// The answer to the request without a token.
    pub(in crate::lints) missing: &'a HttpExchange,
    /// The answer to the request with a wrong token.
    pub(in crate::lints) invalid: &'a HttpExchange,
}

impl<'a> Auth<'a> {
    /// The answers, if all came.
    pub(in crate::lints) fn of(context: &ProbeContext<'a>) -> Option<Self> {
        let run = context.runs.first()?;
        let answered = |step| run.http(step).filter(|response| response.status != 0);
        Some(Self { run, missing: answered(0)?, invalid: answered(1)? })
    }

    /// Whether the server is protected: it answers 401 to one of the requests.
    pub(in crate::lints) fn is_protected(&self) -> bool {
        self.missing.status == 401 || self.invalid.status == 401
    }

    /// The 401.
    pub(in crate::lints) fn refusal(&self) -> Option<&'a HttpExchange> {
        [self.missing, self.invalid].into_iter().find(|response| response.status == 401)
    }

    /// A parameter of the 401's challenge (RFC 9110 section 11.6.1).
    pub(in crate::lints) fn challenge(&self, parameter: &str) -> Option<String> {
        let header = self.refusal()?.header("www-authenticate")?;
        challenge_parameter(header, parameter)
    }

    /// The answers for the Protected Resource Metadata, at the path of the endpoint and at the root.
    pub(in crate::lints) fn resource_metadata(&self) -> [Option<&'a HttpExchange>; 2] {
        [self.run.http(2), self.run.http(3)]
    }

    /// The Protected Resource Metadata, if it is at one of those places.
    pub(in crate::lints) fn resource(&self) -> Option<Value> {
        let found = self.resource_metadata().into_iter().flatten().find_map(document)?;
        (found.get("resource").is_some() || found.get("authorization_servers").is_some())
            .then_some(found)
    }

    /// The answers for the metadata of an authorization server at the root of the same host.
    pub(in crate::lints) fn server_metadata(&self) -> Option<Value> {
        [self.run.http(4), self.run.http(5)].into_iter().flatten().find_map(document)
    }

    /// Whether the metadata that the challenge names is one of those asked for; `None` where it names none.
    pub(in crate::lints) fn names_known_place(&self, endpoint: &str) -> Option<bool> {
        let url = self.challenge("resource_metadata")?;
        let known = origin(&url) == origin(endpoint)
            && self.run.probe.steps[2..4].iter().any(|step| match step {
                ProbeStep::Http(request) => request.path.as_deref() == Some(path_of(&url)),
                _ => false,
            });
        Some(known)
    }
}

/// The JSON object in a response of status 200.
fn document(response: &HttpExchange) -> Option<Value> {
    let value: Value = serde_json::from_slice(&response.body).ok()?;
    (response.status == 200 && value.is_object()).then_some(value)
}

/// A parameter of an authentication challenge; the quotes are taken off.
pub(in crate::lints) fn challenge_parameter(header: &str, name: &str) -> Option<String> {
    let mut rest = header;
    while let Some(at) = rest.find(name) {
        let before = rest[..at].chars().next_back();
        let after = rest[at + name.len()..].trim_start();
        let value = after.strip_prefix('=').map(str::trim_start);
        if let Some(value) = value.filter(|_| before.is_none_or(|c| c == ' ' || c == ',')) {
            return Some(match value.strip_prefix('"') {
                Some(quoted) => quoted.split('"').next().unwrap_or_default().to_owned(),
                None => value.split([',', ' ']).next().unwrap_or_default().to_owned(),
            });
        }
        rest = &rest[at + name.len()..];
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn challenges_and_urls_are_taken_apart() {
        let header = r#"Bearer realm="x", resource_metadata="http://h/.well-known/p", scope=read"#;
        let found = |name: &str| challenge_parameter(header, name);
        assert_eq!(found("resource_metadata").as_deref(), Some("http://h/.well-known/p"));
        assert_eq!(found("scope").as_deref(), Some("read"));
        assert_eq!(found("error"), None);
        assert_eq!(path_of("http://h:1/a/b?c=d#e"), "/a/b?c=d");
        assert_eq!(path_of("http://h:1"), "/");
    }
}
