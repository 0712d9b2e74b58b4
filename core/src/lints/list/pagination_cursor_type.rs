//! `pagination_cursor_type`.

use super::item::{kind, shown};
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
    /// `nextCursor` is there and is not a string.
    ///
    /// TypeScript clients refuse the whole page because of `"nextCursor": null`; others ask for a next page without end.
    PaginationCursorType(List, Error) {}
    spec: "schema#paginatedresult", fix: "Send `nextCursor` as a string, and leave it out of the last page."
}

impl Lint for PaginationCursorType {
    fn list(&self, context: &ListContext<'_>, problems: &mut Vec<Problem>) {
        for listing in &context.catalog.listings {
            let cursors =
                listing.pages.iter().enumerate().filter_map(|(page, exchange)| {
                    Some((page, exchange.result()?.get("nextCursor")?))
                });
            if let Some((page, cursor)) =
                cursors.into_iter().find(|(_, cursor)| !cursor.is_string())
            {
                let method = listing.list.method();
                let found = match cursor {
                    Value::Null => "null; leave it out of the last page".to_owned(),
                    other => format!("{} ({}), not a string", kind(other), shown(other)),
                };
                problems.push(Problem::new(
                    method,
                    format!("`{method}`: `nextCursor` of page {} is {found}", page + 1),
                ));
            }
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    let scene = |cursor: Value| {
        Scene::new().page(ListKind::Prompts, json!({"prompts": [], "nextCursor": cursor}))
    };
    Examples::of(&ENTRY)
        .flags("`prompts/list`: `nextCursor` of page 1 is null", scene(json!(null)))
        .flags("is a number (3), not a string", scene(json!(3)))
        .passes(scene(json!("a")))
        .passes(Scene::new().page(ListKind::Prompts, json!({"prompts": []})))
}
