//! `resource_https_scheme`.

use super::item::{Faults, items};
use crate::catalog::ListKind;
use crate::lints::meta::lint;
use crate::lints::{Lint, ListContext, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
#[cfg(test)]
use serde_json::json;

lint! {
    /// A resource has an `https:` or `http:` URI.
    ///
    /// Such URIs are for what a client can fetch from the web by itself. For anything else the specification asks for another scheme, even if the server itself fetches from the web.
    ResourceHttpsScheme(List, Disabled) {}
    spec: "server/resources#https", fix: "Use a scheme of your own if clients should read the resource through the server."
}

impl Lint for ResourceHttpsScheme {
    fn list(&self, context: &ListContext<'_>, problems: &mut Vec<Problem>) {
        let mut faults = Faults::new(problems);
        for resource in items(context.catalog, ListKind::Resources) {
            let scheme = resource
                .key()
                .and_then(|uri| uri.split_once(':'))
                .map(|(scheme, _)| scheme.to_ascii_lowercase());
            if matches!(scheme.as_deref(), Some("http" | "https")) {
                faults.add(resource, "web", "its URI says that clients can fetch it from the web");
            }
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    let scene =
        |uri: &str| Scene::new().item(ListKind::Resources, json!({"uri": uri, "name": "a"}));
    Examples::of(&ENTRY)
        .flags("resource \"https://a.example/b\": its URI says", scene("https://a.example/b"))
        .passes(scene("note://a"))
}
