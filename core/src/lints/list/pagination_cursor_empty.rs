//! `pagination_cursor_empty`.

#[cfg(test)]
use crate::catalog::ListKind;
use crate::lints::meta::lint;
use crate::lints::{Lint, ListContext, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use serde_json::Value;
#[cfg(test)]
use serde_json::json;

lint! {
    /// `nextCursor` is the empty string.
    ///
    /// A cursor may be any string, so this says that there is a next page. Many clients take it for the end, others loop.
    PaginationCursorEmpty(List, Warning) {}
    spec: "server/utilities/pagination", fix: "Leave `nextCursor` out of the last page, and use a cursor that is not empty elsewhere."
}

impl Lint for PaginationCursorEmpty {
    fn list(&self, context: &ListContext<'_>, problems: &mut Vec<Problem>) {
        for listing in &context.catalog.listings {
            let is_empty = |cursor: &Value| cursor.as_str() == Some("");
            let mut cursors =
                listing.pages.iter().filter_map(|page| page.result()?.get("nextCursor"));
            if cursors.any(is_empty) {
                let method = listing.list.method();
                problems.push(Problem::new(
                    method,
                    format!("`{method}`: `nextCursor` is the empty string"),
                ));
            }
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    let scene = |cursor: &str| {
        Scene::new().page(ListKind::Resources, json!({"resources": [], "nextCursor": cursor}))
    };
    Examples::of(&ENTRY)
        .flags("`resources/list`: `nextCursor` is the empty string", scene(""))
        .passes(scene("0"))
}
