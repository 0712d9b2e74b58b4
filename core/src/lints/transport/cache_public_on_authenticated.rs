//! `cache_public_on_authenticated`.

use crate::lints::meta::lint;
use crate::lints::probes::{Auth, auth_probe};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, http},
};
use crate::probe::Probe;
use serde_json::json;

lint! {
    /// A result that needs a token may be cached for everybody.
    ///
    /// A shared cache hands it to those who may not see it.
    CachePublicOnAuthenticated(Probe, Disabled) {}
    spec: "server/utilities/caching#security-considerations", fix: "Send `cacheScope: \"private\"` with results that depend on who asks.", since: V2026_07_28
}

impl Lint for CachePublicOnAuthenticated {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        auth_probe(context)
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        if Auth::of(context).is_none_or(|auth| auth.missing.status != 401) {
            return;
        }
        let mut pages = context.list.catalog.listings.iter().flat_map(|listing| &listing.pages);
        let public = pages.find(|page| {
            page.result().is_some_and(|result| result.get("cacheScope") == Some(&json!("public")))
        });
        if let Some(page) = public {
            problems.push(Problem::new(
                "public",
                format!("{} needs a token, but its result may be cached as public", page.method),
            ));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::catalog::ListKind;
    use crate::protocol::Revision;

    let cached = |scope: &str| {
        Scene::at(Revision::V2026_07_28)
            .with_token()
            .page(ListKind::Tools, json!({"tools": [], "cacheScope": scope, "ttlMs": 1}))
            .answers_http(|_| http(401, ""))
    };
    Examples::of(&ENTRY)
        .flags("may be cached as public", cached("public"))
        .passes(cached("private"))
}
