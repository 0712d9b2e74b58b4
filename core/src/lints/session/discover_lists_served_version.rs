//! `discover_lists_served_version`.

use crate::lints::meta::lint;
use crate::lints::{Lint, ListContext, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::discovered};

lint! {
    /// The list of supported versions lacks the one that the server is serving.
    ///
    /// Clients that look at the list believe that they cannot talk to the server.
    DiscoverListsServedVersion(List, Error) {}
    spec: "basic/versioning#protocol-version-negotiation", fix: "List every version that is served.", since: V2026_07_28
}

impl Lint for DiscoverListsServedVersion {
    fn list(&self, context: &ListContext<'_>, problems: &mut Vec<Problem>) {
        let versions = context
            .server
            .opening
            .as_ref()
            .and_then(|o| o.result()?.get("supportedVersions")?.as_array());
        let served = context.revision.as_str();
        if versions.is_some_and(|versions| {
            !versions.is_empty() && !versions.iter().any(|version| version == served)
        }) {
            problems.push(Problem::new(
                "not listed",
                format!("the supported versions do not list {served}, which was served"),
            ));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use serde_json::json;

    Examples::of(&ENTRY)
        .flags("do not list 2026-07-28", discovered(json!(["2025-11-25"])))
        .passes(discovered(json!(["2025-11-25", "2026-07-28"])))
}
