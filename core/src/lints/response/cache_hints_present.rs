//! `cache_hints_present`.

use crate::lints::look::complete;
use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, ResponseContext};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};

lint! {
    /// A result that clients may cache lacks `ttlMs` or `cacheScope`.
    ///
    /// Both are required on `server/discover`, the lists and `resources/read`; typed clients refuse a result without them.
    CacheHintsPresent(Response, Error) {}
    spec: "server/utilities/caching#cacheable-results", fix: "Send `\"ttlMs\": 0` and a `cacheScope` where nothing should be cached.", since: V2026_07_28
}

impl Lint for CacheHintsPresent {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        let method = context.exchange.method.as_str();
        let Some(result) = complete(context).filter(|_| is_cacheable(method)) else {
            return;
        };
        let missing: Vec<&str> =
            ["ttlMs", "cacheScope"].into_iter().filter(|name| result.get(name).is_none()).collect();
        if !missing.is_empty() {
            let missing = missing.join(" and ");
            problems.push(Problem::new(
                format!("{method} without {missing}"),
                format!("the result of {method} has no {missing}"),
            ));
        }
    }
}

fn is_cacheable(method: &str) -> bool {
    matches!(
        method,
        "server/discover"
            | "tools/list"
            | "resources/list"
            | "resources/templates/list"
            | "prompts/list"
            | "resources/read"
    )
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::exchange::Reply;
    use crate::protocol::Revision;
    use serde_json::json;

    let asked = |method: &str, result| {
        Scene::at(Revision::V2026_07_28).asked(method, json!({}), Reply::Result(result))
    };
    Examples::of(&ENTRY)
        .flags("no ttlMs and cacheScope", asked("tools/list", json!({"tools": []})))
        .passes(asked("tools/list", json!({"tools": [], "ttlMs": 0, "cacheScope": "public"})))
        .passes(asked("tools/call", json!({"content": []})))
        .passes(asked("resources/read", json!({"resultType": "input_required"})))
}
