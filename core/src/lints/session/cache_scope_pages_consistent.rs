//! `cache_scope_pages_consistent`.

use crate::lints::meta::lint;
use crate::lints::{Lint, ListContext, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};

lint! {
    /// The pages of one list have different cache scopes.
    ///
    /// A client that keeps the list whole may show one user what is private to another.
    CacheScopePagesConsistent(List, Error) {}
    spec: "server/utilities/caching#interaction-with-pagination", fix: "Send the same `cacheScope` with every page.", since: V2026_07_28
}

impl Lint for CacheScopePagesConsistent {
    fn list(&self, context: &ListContext<'_>, problems: &mut Vec<Problem>) {
        for listing in &context.catalog.listings {
            let mut scopes =
                listing.pages.iter().filter_map(|page| page.result()?.get("cacheScope")?.as_str());
            let Some(first) = scopes.next() else { continue };
            if let Some(other) = scopes.find(|scope| *scope != first) {
                let method = listing.list.method();
                problems.push(Problem::new(
                    method,
                    format!("the pages of {method} have the cache scopes {first:?} and {other:?}"),
                ));
            }
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::catalog::ListKind;
    use crate::protocol::Revision;
    use serde_json::json;

    let pages = |second: &str| {
        Scene::at(Revision::V2026_07_28)
            .page(ListKind::Tools, json!({"tools": [], "nextCursor": "2", "cacheScope": "public"}))
            .page(ListKind::Tools, json!({"tools": [], "cacheScope": second}))
    };
    Examples::of(&ENTRY)
        .flags("\"public\" and \"private\"", pages("private"))
        .passes(pages("public"))
}
