//! `deprecated_features_used`.

use crate::lints::look::declares;
use crate::lints::meta::lint;
use crate::lints::{Lint, ListContext, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};

lint! {
    /// The server declares a feature that is on its way out.
    ///
    /// Logging over the protocol is deprecated; clients may stop showing it.
    DeprecatedFeaturesUsed(List, Disabled) {}
    spec: "deprecated", fix: "Log to standard error or to a telemetry service.", since: V2026_07_28
}

impl Lint for DeprecatedFeaturesUsed {
    fn list(&self, context: &ListContext<'_>, problems: &mut Vec<Problem>) {
        if declares(context.server, "logging") {
            problems
                .push(Problem::new("logging", "the server declares logging, which is deprecated"));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::protocol::Revision;
    use serde_json::json;

    let modern = |capabilities| Scene::at(Revision::V2026_07_28).capabilities(capabilities);
    Examples::of(&ENTRY)
        .flags("logging", modern(json!({"logging": {}})))
        .passes(modern(json!({"tools": {}})))
}
