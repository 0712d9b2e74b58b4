//! `auth_no_offline_access`.

use crate::lints::meta::lint;
use crate::lints::probes::{Auth, auth_probe};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, challenged},
};
use crate::probe::Probe;
use serde_json::{Value, json};

lint! {
    /// The server asks for `offline_access`.
    ///
    /// Whether a client may get refresh tokens is between it and the authorization server.
    AuthNoOfflineAccess(Probe, Disabled) {}
    spec: "basic/authorization#refresh-tokens", fix: "Leave `offline_access` out of the challenge and of `scopes_supported`.", since: V2026_07_28
}

impl Lint for AuthNoOfflineAccess {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        auth_probe(context)
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        let Some(auth) = Auth::of(context) else {
            return;
        };
        let asked = auth
            .challenge("scope")
            .is_some_and(|scope| scope.split(' ').any(|s| s == "offline_access"));
        let resource = auth.resource().unwrap_or_default();
        let listed = resource.get("scopes_supported").and_then(Value::as_array);
        if asked || listed.is_some_and(|scopes| scopes.contains(&json!("offline_access"))) {
            let place = if asked { "challenge" } else { "metadata" };
            problems
                .push(Problem::new(place, format!("the {place} lists the scope offline_access")));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::protocol::Revision;

    let modern = || Scene::at(Revision::V2026_07_28).with_token();
    Examples::of(&ENTRY)
        .flags(
            "the challenge lists",
            modern().answers_http(|_| challenged("Bearer scope=\"read offline_access\"")),
        )
        .passes(modern().answers_http(|_| challenged("Bearer scope=\"read\"")))
}
