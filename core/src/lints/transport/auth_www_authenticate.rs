//! `auth_www_authenticate`.

use crate::lints::look::shorten;
use crate::lints::meta::lint;
use crate::lints::probes::{Auth, auth_probe};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, http},
};
use crate::probe::Probe;
use crate::protocol::Revision;

lint! {
    /// A 401 does not say how to get a token.
    ///
    /// The challenge names the metadata from which clients learn where tokens come from.
    AuthWwwAuthenticate(Probe, Error) {}
    spec: "basic/authorization#authorization-server-discovery", fix: "Send `WWW-Authenticate: Bearer resource_metadata=\"…\"` with 401.", since: V2025_06_18
}

impl Lint for AuthWwwAuthenticate {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        auth_probe(context)
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        let Some(auth) = Auth::of(context) else {
            return;
        };
        let Some(refusal) = auth.refusal() else {
            return;
        };
        let named = auth.challenge("resource_metadata").is_some();
        if named || (context.list.revision > Revision::V2025_06_18 && auth.resource().is_some()) {
            return;
        }
        let what = match refusal.header("www-authenticate") {
            None => "a 401 came without WWW-Authenticate".to_owned(),
            Some(challenge) => format!(
                "the challenge of a 401 names no resource_metadata: {}",
                shorten(challenge, 120)
            ),
        };
        let problem = Problem::new(
            if refusal.header("www-authenticate").is_none() {
                "no challenge"
            } else {
                "no resource_metadata"
            },
            what,
        );
        // Authorization is optional, and a server with fixed tokens has no metadata to name.
        let follows = auth.resource().is_some();
        problems.push(if follows { problem } else { problem.warning() });
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    fn says(answer: crate::lints::scene::AnswerHttp) -> Scene {
        Scene::new().with_token().answers_http(answer)
    }
    Examples::of(&ENTRY)
    .flags("without WWW-Authenticate", says(|_| http(401, "")))
    .passes(says(|_| {
        let mut refusal = http(401, "");
        let challenge = "Bearer resource_metadata=\"http://127.0.0.1:8000/.well-known/oauth-protected-resource\"";
        refusal.headers.push(("WWW-Authenticate".to_owned(), challenge.to_owned()));
        refusal
    }))
    .passes(Scene::new().over_http().answers_http(|_| http(401, "")))
}
