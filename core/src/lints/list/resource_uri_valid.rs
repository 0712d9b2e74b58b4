//! `resource_uri_valid`.

use super::item::{Faults, items};
use super::uri::{UriFault, uri_fault};
use crate::catalog::ListKind;
use crate::lints::meta::lint;
use crate::lints::{Lint, ListContext, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
#[cfg(test)]
use serde_json::json;

lint! {
    /// A resource's `uri` is no absolute URI.
    ///
    /// Clients parse it before they read the resource, and refuse what does not parse.
    ResourceUriValid(List, Error) {}
    spec: "server/resources#resource", fix: "Begin the URI with a scheme such as `file:` or one of your own, and percent-encode other characters (RFC 3986)."
}

impl Lint for ResourceUriValid {
    fn list(&self, context: &ListContext<'_>, problems: &mut Vec<Problem>) {
        let mut faults = Faults::new(problems);
        for resource in items(context.catalog, ListKind::Resources) {
            match resource.key().and_then(uri_fault) {
                Some(UriFault::Broken(wrong)) => {
                    faults.add(resource, "no URI", format!("its URI is not valid: {wrong}"))
                }
                Some(UriFault::Unencoded(wrong)) => {
                    faults.warn(resource, "not encoded", format!("its URI is not valid: {wrong}"))
                }
                None => {}
            }
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    let scene =
        |uri: &str| Scene::new().item(ListKind::Resources, json!({"uri": uri, "name": "a"}));
    Examples::of(&ENTRY)
        .flags(
            "resource \"notes/a\": its URI is not valid: it begins with no scheme",
            scene("notes/a"),
        )
        .flags("it has the character ' ' in it", scene("note://my note"))
        .flags("the character 'ü' must be percent-encoded", scene("file:///grün"))
        .passes(scene("note://internal/a%20b"))
        .passes(scene("urn:isbn:0451450523"))
}
