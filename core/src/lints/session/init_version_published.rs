//! `init_version_published`.

use crate::lints::meta::lint;
use crate::lints::{Lint, ListContext, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use crate::protocol::{Era, Revision};

lint! {
    /// The server answered `initialize` with a version that no handshake revision has.
    ///
    /// Clients that do not know the version must end the session.
    InitVersionPublished(List, Warning) {}
    spec: "basic/lifecycle#version-negotiation", fix: "Answer with a published version, the one that was asked for if it is supported.", until: V2025_11_25
}

impl Lint for InitVersionPublished {
    fn list(&self, context: &ListContext<'_>, problems: &mut Vec<Problem>) {
        let Some(version) = &context.server.protocol_version else {
            return;
        };
        let published =
            Revision::parse(version).is_some_and(|revision| revision.era() == Era::Legacy);
        if !published {
            problems.push(Problem::new(
                "unpublished version",
                format!("initialize was answered with the version {version:?}, which has no handshake or does not exist"),
            ));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use serde_json::json;

    let opened = |version: &str| {
        Scene::new().opened(json!({"protocolVersion": version, "capabilities": {}, "serverInfo": {"name": "x", "version": "1"}}))
    };
    Examples::of(&ENTRY)
        .flags("\"2025-01-01\"", opened("2025-01-01"))
        .flags("\"2026-07-28\"", opened("2026-07-28"))
        .passes(opened("2025-06-18"))
}
