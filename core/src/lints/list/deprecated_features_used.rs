//! `deprecated_features_used`.

use crate::lints::meta::lint;
use crate::lints::{Lint, ListContext, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
#[cfg(test)]
use crate::protocol::Revision;
#[cfg(test)]
use serde_json::json;

lint! {
    /// The server declares `logging`, which 2026-07-28 deprecates.
    ///
    /// It works for at least a year more. New servers should write to standard error or to OpenTelemetry instead.
    DeprecatedFeaturesUsed(List, Disabled) {}
    spec: "deprecated", fix: "Take `logging` out of the capabilities once no client depends on it.", since: V2026_07_28
}

impl Lint for DeprecatedFeaturesUsed {
    fn list(&self, context: &ListContext<'_>, problems: &mut Vec<Problem>) {
        if context.server.capabilities.get("logging").is_some() {
            problems.push(Problem::new(
                "logging",
                "the server declares `logging`, which is deprecated",
            ));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    let scene = |capabilities: serde_json::Value| {
        Scene::at(Revision::V2026_07_28).capabilities(capabilities)
    };
    Examples::of(&ENTRY)
        .flags("the server declares `logging`", scene(json!({"tools": {}, "logging": {}})))
        .passes(scene(json!({"tools": {}})))
}
