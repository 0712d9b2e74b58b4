//! `auth_prm_discoverable`.

use crate::lints::meta::lint;
use crate::lints::probes::{Auth, auth_probe, endpoint_of};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, http},
};
use crate::probe::Probe;

lint! {
    /// The metadata that a 401 names is not there.
    ///
    /// Clients cannot find out where tokens come from.
    AuthPrmDiscoverable(Probe, Error) {}
    spec: "basic/authorization#authorization-server-discovery", fix: "Serve the Protected Resource Metadata (RFC 9728) at the address that the challenge names, or at its well-known path.", since: V2025_06_18
}

impl Lint for AuthPrmDiscoverable {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        auth_probe(context)
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        let Some(auth) =
            Auth::of(context).filter(|auth| auth.is_protected() && auth.resource().is_none())
        else {
            return;
        };
        let endpoint = endpoint_of(context.list).unwrap_or_default();
        match auth.names_known_place(endpoint) {
            // It is somewhere else, where nothing was asked.
            Some(false) => {}
            Some(true) => problems.push(Problem::new(
                "not there",
                format!("the challenge names {}, where no metadata is", auth.challenge("resource_metadata").unwrap_or_default()),
            )),
            None => problems.push(Problem::new(
                "nowhere",
                "the server demands a token, but neither the challenge nor the well-known paths lead to its metadata",
            ).warning()),
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::exchange::HttpExchange;

    fn says(answer: crate::lints::scene::AnswerHttp) -> Scene {
        Scene::new().with_token().answers_http(answer)
    }
    fn challenged(url: &str) -> HttpExchange {
        let mut refusal = http(401, "");
        refusal
            .headers
            .push(("WWW-Authenticate".to_owned(), format!("Bearer resource_metadata=\"{url}\"")));
        refusal
    }
    Examples::of(&ENTRY)
        .flags(
            "where no metadata is",
            says(|request| match request.method.as_str() {
                "GET" => http(404, ""),
                _ => challenged("http://127.0.0.1:8000/.well-known/oauth-protected-resource/mcp"),
            }),
        )
        .flags(
            "neither the challenge nor",
            says(|request| match request.method.as_str() {
                "GET" => http(404, ""),
                _ => http(401, ""),
            }),
        )
        .passes(says(|request| match request.method.as_str() {
            "GET" => http(404, ""),
            _ => challenged("https://elsewhere.example/metadata"),
        }))
        .passes(says(|request| match request.method.as_str() {
            "GET" => http(200, r#"{"resource":"http://127.0.0.1:8000/mcp"}"#),
            _ => http(401, ""),
        }))
}
