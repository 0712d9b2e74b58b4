//! `pagination_empty_page`.

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
    /// A page without items says that there is a next one.
    ///
    /// Legal, but it costs a round trip for nothing, and some clients stop at the first empty page.
    PaginationEmptyPage(List, Disabled) {}
    spec: "server/utilities/pagination", fix: "Fill pages before handing out a cursor, and hand out none behind the last item."
}

impl Lint for PaginationEmptyPage {
    fn list(&self, context: &ListContext<'_>, problems: &mut Vec<Problem>) {
        for listing in &context.catalog.listings {
            let is_empty = |result: &Value| {
                let items = result.get(listing.list.member()).and_then(Value::as_array);
                items.is_some_and(Vec::is_empty)
                    && result.get("nextCursor").is_some_and(Value::is_string)
            };
            let position =
                listing.pages.iter().position(|page| page.result().is_some_and(is_empty));
            if let Some(page) = position {
                let method = listing.list.method();
                problems.push(Problem::new(
                    method,
                    format!("`{method}`: page {} is empty but has a `nextCursor`", page + 1),
                ));
            }
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    Examples::of(&ENTRY)
        .flags(
            "`tools/list`: page 1 is empty",
            Scene::new().page(ListKind::Tools, json!({"tools": [], "nextCursor": "a"})),
        )
        .passes(Scene::new().page(ListKind::Tools, json!({"tools": []})))
}
