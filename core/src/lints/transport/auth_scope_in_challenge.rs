//! `auth_scope_in_challenge`.

use crate::lints::meta::lint;
use crate::lints::probes::{Auth, auth_probe};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, challenged},
};
use crate::probe::Probe;

lint! {
    /// The challenge of a 401 names no scope.
    ///
    /// Clients then ask for every scope that there is.
    AuthScopeInChallenge(Probe, Disabled) {}
    spec: "basic/authorization#scope-selection-strategy", fix: "Name the scopes that the request needs in `scope`.", since: V2025_11_25
}

impl Lint for AuthScopeInChallenge {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        auth_probe(context)
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        let Some(auth) = Auth::of(context) else {
            return;
        };
        let challenge = auth.refusal().and_then(|refusal| refusal.header("www-authenticate"));
        if challenge.is_some() && auth.challenge("scope").is_none() {
            problems.push(Problem::new("no scope", "the challenge of a 401 names no scope"));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    Examples::of(&ENTRY)
        .flags("names no scope", Scene::new().with_token().answers_http(|_| challenged("Bearer")))
        .passes(Scene::new().with_token().answers_http(|_| challenged("Bearer scope=\"read\"")))
}
