//! `cache_ttl_valid`.

use crate::lints::look::show;
use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, ResponseContext};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use crate::pointer::Members;

lint! {
    /// `ttlMs` is no integer from 0 on.
    ///
    /// Clients cannot tell how long the result holds, or refuse it.
    CacheTtlValid(Response, Error) {}
    spec: "server/utilities/caching#time-to-live-ttl-field", fix: "Send whole milliseconds; 0 where nothing should be cached.", since: V2026_07_28
}

impl Lint for CacheTtlValid {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        let Some(ttl) = context.exchange.result().and_then(|result| result.member("ttlMs")) else {
            return;
        };
        if !ttl.as_f64().is_some_and(|n| n >= 0.0 && n.fract() == 0.0) {
            let method = &context.exchange.method;
            problems.push(Problem::new(
                "ttlMs",
                format!("the result of {method} has the ttlMs {}", show(ttl)),
            ));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::exchange::Reply;
    use crate::protocol::Revision;
    use serde_json::json;

    let list = |ttl| {
        let result = json!({"tools": [], "ttlMs": ttl, "cacheScope": "public"});
        Scene::at(Revision::V2026_07_28).asked("tools/list", json!({}), Reply::Result(result))
    };
    Examples::of(&ENTRY)
        .flags("-1", list(json!(-1)))
        .flags("\"60\"", list(json!("60")))
        .passes(list(json!(60000)))
}
