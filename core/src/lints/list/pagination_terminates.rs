//! `pagination_terminates`.

use super::item::quoted;
#[cfg(test)]
use crate::catalog::ListKind;
use crate::catalog::WalkEnd;
use crate::lints::meta::lint;
use crate::lints::{Lint, ListContext, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
#[cfg(test)]
use serde_json::json;

lint! {
    /// Following `nextCursor` never comes to an end.
    ///
    /// Clients that collect all pages hang on such a list, or fill their memory.
    PaginationTerminates(List, Error) {}
    spec: "server/utilities/pagination", fix: "Leave `nextCursor` out of the last page, and have each cursor point behind the page before."
}

impl Lint for PaginationTerminates {
    fn list(&self, context: &ListContext<'_>, problems: &mut Vec<Problem>) {
        for listing in &context.catalog.listings {
            let method = listing.list.method();
            let pages = listing.pages.len();
            let message = match &listing.end {
                WalkEnd::RepeatedCursor(cursor) => {
                    format!(
                        "`{method}` goes in circles: after {pages} pages the cursor {} comes again",
                        quoted(cursor)
                    )
                }
                WalkEnd::TooManyPages => {
                    format!("`{method}` still has a next page after {pages} pages")
                }
                WalkEnd::Complete | WalkEnd::Failed | WalkEnd::NotDeclared => continue,
            };
            problems.push(Problem::new(method, message));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    let scene = |end: WalkEnd| {
        let page = json!({"tools": [], "nextCursor": "a"});
        Scene::new()
            .page(ListKind::Tools, page.clone())
            .page(ListKind::Tools, page)
            .end(ListKind::Tools, end)
    };
    Examples::of(&ENTRY)
        .flags(
            "`tools/list` goes in circles: after 2 pages the cursor \"a\" comes again",
            scene(WalkEnd::RepeatedCursor("a".to_owned())),
        )
        .flags("`tools/list` still has a next page after 2 pages", scene(WalkEnd::TooManyPages))
        .passes(scene(WalkEnd::Complete))
        .passes(scene(WalkEnd::Failed))
}
