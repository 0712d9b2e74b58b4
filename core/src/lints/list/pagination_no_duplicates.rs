//! `pagination_no_duplicates`.

use super::item::{Faults, Item, items};
use crate::catalog::ListKind;
use crate::lints::meta::lint;
use crate::lints::{Lint, ListContext, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
#[cfg(test)]
use serde_json::json;
use std::collections::HashMap;

lint! {
    /// The same item is on two pages of one list.
    ///
    /// Pages that overlap make clients show and register things twice, and often hide that other items are skipped.
    PaginationNoDuplicates(List, Warning) {}
    spec: "server/utilities/pagination", fix: "Let each cursor point exactly behind the last item of its page, in a stable order."
}

impl Lint for PaginationNoDuplicates {
    fn list(&self, context: &ListContext<'_>, problems: &mut Vec<Problem>) {
        for list in ListKind::ALL {
            let mut seen: HashMap<&str, Item<'_>> = HashMap::new();
            let mut faults = Faults::new(problems);
            for item in items(context.catalog, list) {
                let Some(key) = item.key() else {
                    continue;
                };
                if seen.get(key).is_some_and(|first| item.is_repeat_of(*first)) {
                    faults.add(item, "repeated", "it is on two pages of the list");
                }
                seen.entry(key).or_insert(item);
            }
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    let page = |names: &[&str]| {
        let tools: Vec<_> = names.iter().map(|name| json!({ "name": name })).collect();
        json!({"tools": tools, "nextCursor": "a"})
    };
    let pages = |first: &[&str], second: &[&str]| {
        Scene::new().page(ListKind::Tools, page(first)).page(ListKind::Tools, page(second))
    };
    Examples::of(&ENTRY)
        .flags("tool \"b\": it is on two pages of the list", pages(&["a", "b"], &["b", "c"]))
        .passes(pages(&["a", "b"], &["c"]))
        .passes(pages(&["a", "a"], &[]))
}
