//! `resource_uri_unique`.

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
    /// Two resources have the same URI.
    ///
    /// The URI is what a resource is read by, so only one of them can be read.
    ResourceUriUnique(List, Warning) {}
    spec: "server/resources#resource", fix: "List each resource once, and give different resources different URIs."
}

impl Lint for ResourceUriUnique {
    fn list(&self, context: &ListContext<'_>, problems: &mut Vec<Problem>) {
        let mut seen: HashMap<&str, (usize, Item<'_>)> = HashMap::new();
        let mut faults = Faults::new(problems);
        for resource in items(context.catalog, ListKind::Resources) {
            let Some(uri) = resource.key() else {
                continue;
            };
            let (count, first) = seen.entry(uri).or_insert((0, resource));
            *count += 1;
            if *count == 2 && !resource.is_repeat_of(*first) {
                faults.add(resource, "duplicate", "another resource has the same URI");
            }
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    let add =
        |scene: Scene, uri: &str| scene.item(ListKind::Resources, json!({"uri": uri, "name": "a"}));
    let scene = |uris: &[&str]| uris.iter().fold(Scene::new(), |scene, uri| add(scene, uri));
    Examples::of(&ENTRY)
        .flags(
            "resource \"x://a\": another resource has the same URI",
            scene(&["x://a", "x://b", "x://a", "x://a"]),
        )
        .passes(scene(&["x://a", "x://b"]))
}
