//! `call_embedded_needs_resources`.

use crate::lints::look::{blocks, declares, kind_of};
use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, ResponseContext};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};

lint! {
    /// A result embeds a resource, but the server does not declare the `resources` capability.
    ///
    /// Clients that want to read or follow the resource later do not know that they can.
    CallEmbeddedNeedsResources(Response, Warning) {}
    spec: "server/tools#embedded-resources", fix: "Declare `resources` and serve the embedded resource there too.", since: V2025_06_18
}

impl Lint for CallEmbeddedNeedsResources {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        let embeds = blocks(context).any(|block| kind_of(block) == "resource");
        if embeds && !declares(context.server, "resources") {
            problems.push(Problem::new(
                "embedded resource",
                "the result embeds a resource, but the server does not declare resources",
            ));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use serde_json::json;

    let call = || {
        let block = json!({"type": "resource", "resource": {"uri": "a:b", "text": ""}});
        Scene::new().call("tool", json!({}), json!({"content": [block]}))
    };
    Examples::of(&ENTRY)
        .flags("does not declare resources", call().capabilities(json!({"tools": {}})))
        .passes(call().capabilities(json!({"tools": {}, "resources": {}})))
}
