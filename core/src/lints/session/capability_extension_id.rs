//! `capability_extension_id`.

use crate::lints::meta::lint;
use crate::lints::meta_keys::key_fault;
use crate::lints::{Lint, ListContext, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use serde_json::Value;

lint! {
    /// An extension is declared under a name without a prefix, or a malformed one.
    ///
    /// Without the prefix two extensions of the same name cannot be told apart.
    CapabilityExtensionId(List, Warning) {}
    spec: "basic/versioning#extension-negotiation", fix: "Name the extension `com.yourdomain/name`.", since: V2025_11_25
}

impl Lint for CapabilityExtensionId {
    fn list(&self, context: &ListContext<'_>, problems: &mut Vec<Problem>) {
        let extensions = context.server.capabilities.get("extensions").and_then(Value::as_object);
        for key in extensions.into_iter().flat_map(|extensions| extensions.keys()) {
            if let Some(fault) = key_fault(key, true) {
                problems.push(Problem::new(
                    format!("extension {key}"),
                    format!("the extension {key:?} is misnamed: {fault}"),
                ));
            }
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use serde_json::json;

    let declares = |name: &str| Scene::new().capabilities(json!({"extensions": {name: {}}}));
    Examples::of(&ENTRY)
        .flags("it has no prefix", declares("tasks"))
        .passes(declares("io.modelcontextprotocol/tasks"))
        .passes(Scene::new())
}
