//! `auth_prm_unauthenticated`.

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
    /// The Protected Resource Metadata is itself protected.
    ///
    /// Who has no token yet cannot learn where to get one.
    AuthPrmUnauthenticated(Probe, Error) {}
    spec: "RFC 9728 section 3", fix: "Serve the metadata to everybody.", since: V2025_06_18
}

impl Lint for AuthPrmUnauthenticated {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        auth_probe(context)
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        let Some(auth) = Auth::of(context).filter(|auth| auth.resource().is_none()) else {
            return;
        };
        let endpoint = endpoint_of(context.list).unwrap_or_default();
        let refused =
            auth.resource_metadata().into_iter().flatten().any(|r| matches!(r.status, 401 | 403));
        // Where the challenge names no place, a server may protect all its paths alike.
        if refused && auth.names_known_place(endpoint) == Some(true) {
            problems.push(Problem::new(
                "protected",
                "the metadata that the challenge names demands a token itself",
            ));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::exchange::HttpExchange;

    fn challenged() -> HttpExchange {
        let mut refusal = http(401, "");
        let url = "http://127.0.0.1:8000/.well-known/oauth-protected-resource";
        refusal
            .headers
            .push(("WWW-Authenticate".to_owned(), format!("Bearer resource_metadata=\"{url}\"")));
        refusal
    }
    Examples::of(&ENTRY)
        .flags("demands a token itself", Scene::new().with_token().answers_http(|_| challenged()))
        .passes(Scene::new().with_token().answers_http(|_| http(401, "")))
}
