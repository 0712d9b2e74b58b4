//! `meta_reserved_prefix`.

use crate::lints::look::{notifications, requests};
use crate::lints::meta::lint;
use crate::lints::meta_keys::{is_invented, metas};
use crate::lints::{Lint, Problem, ResponseContext};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};

lint! {
    /// A key of `_meta` is made up under a prefix that the protocol keeps for itself.
    ///
    /// A later revision may give the key a meaning that the server does not mean.
    MetaReservedPrefix(Response, Warning) {}
    spec: "basic/index#meta", fix: "Use a prefix of a domain of your own.", since: V2025_06_18
}

impl Lint for MetaReservedPrefix {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        let mut found = Vec::new();
        if let Some(result) = context.exchange.result() {
            metas(result, &mut found);
        }
        for (_, message) in notifications(context).chain(requests(context)) {
            metas(message, &mut found);
        }
        let invented = found
            .iter()
            .flat_map(|meta| meta.keys())
            .find(|key| is_invented(key, context.revision));
        if let Some(key) = invented {
            problems.push(Problem::new(
                format!("key {key}"),
                format!(
                    "the _meta key {key:?} is under a reserved prefix and not one of the protocol's"
                ),
            ));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use serde_json::json;

    let meta =
        |key: &str| Scene::new().call("tool", json!({}), json!({"content": [], "_meta": {key: 1}}));
    Examples::of(&ENTRY)
        .flags("io.modelcontextprotocol/cost", meta("io.modelcontextprotocol/cost"))
        .passes(meta("io.modelcontextprotocol/related-task"))
        .passes(meta("com.example/cost"))
}
