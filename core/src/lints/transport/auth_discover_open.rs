//! `auth_discover_open`.

use crate::lints::meta::lint;
use crate::lints::probes::{Auth, auth_probe, harmless, has_result};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, http},
};
use crate::probe::Probe;

lint! {
    /// A server that was given a token serves without one, too.
    ///
    /// What is open to everybody should be open on purpose.
    AuthDiscoverOpen(Probe, Disabled) {}
    spec: "", fix: "Demand a token for every method, or know why not.", since: V2025_03_26
}

impl Lint for AuthDiscoverOpen {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        auth_probe(context)
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        if Auth::of(context).is_some_and(|auth| has_result(auth.missing)) {
            let method = harmless(context.list).0;
            problems.push(Problem::new("open", format!("{method} is served without a token")));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    Examples::of(&ENTRY)
        .flags(
            "is served without a token",
            Scene::new().with_token().answers_http(|_| http(200, r#"{"result":{}}"#)),
        )
        .passes(Scene::new().with_token().answers_http(|_| http(401, "")))
}
