//! `discover_result_shape`.

use crate::lints::meta::lint;
use crate::lints::{Lint, ListContext, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::discovered};
use crate::protocol::shapes;

lint! {
    /// The answer to `server/discover` is malformed.
    ///
    /// Typed clients refuse the server.
    DiscoverResultShape(List, Error) {}
    spec: "server/discover", fix: "Answer with `supportedVersions` (strings, at least one) and `capabilities`.", since: V2026_07_28
}

impl Lint for DiscoverResultShape {
    fn list(&self, context: &ListContext<'_>, problems: &mut Vec<Problem>) {
        let opening =
            context.server.opening.as_ref().filter(|opening| opening.method == "server/discover");
        let Some(result) = opening.and_then(|opening| opening.result()) else {
            return;
        };
        for fault in shapes::check_result(context.revision, "server/discover", result) {
            let elsewhere =
                matches!(fault.pointer.as_str(), "/resultType" | "/ttlMs" | "/cacheScope");
            if !elsewhere && !fault.pointer.starts_with("/capabilities/") {
                problems.push(Problem::new(
                    fault.rule(),
                    format!("in the answer to server/discover, {fault}"),
                ));
            }
        }
        if result
            .get("supportedVersions")
            .and_then(|versions| versions.as_array())
            .is_some_and(Vec::is_empty)
        {
            problems.push(Problem::new("no versions", "the list of supported versions is empty"));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use serde_json::json;

    Examples::of(&ENTRY)
        .flags("/supportedVersions must be an array", discovered(json!("2026-07-28")))
        .flags("is empty", discovered(json!([])))
        .passes(discovered(json!(["2026-07-28"])))
}
