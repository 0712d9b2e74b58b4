//! `cache_scope_valid`.

use crate::lints::look::show;
use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, ResponseContext};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use crate::pointer::Members;

lint! {
    /// `cacheScope` is neither `public` nor `private`.
    ///
    /// A client that does not know the scope may show one user's data to another, or refuse the result.
    CacheScopeValid(Response, Error) {}
    spec: "server/utilities/caching#cache-scope-field", fix: "Send `public` for what everybody may see, else `private`.", since: V2026_07_28
}

impl Lint for CacheScopeValid {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        let Some(scope) = context.exchange.result().and_then(|result| result.member("cacheScope"))
        else {
            return;
        };
        if !matches!(scope.as_str(), Some("public" | "private")) {
            let method = &context.exchange.method;
            problems.push(Problem::new(
                "cacheScope",
                format!("the result of {method} has the cacheScope {}", show(scope)),
            ));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::exchange::Reply;
    use crate::protocol::Revision;
    use serde_json::json;

    let list = |scope: &str| {
        let result = json!({"tools": [], "ttlMs": 0, "cacheScope": scope});
        Scene::at(Revision::V2026_07_28).asked("tools/list", json!({}), Reply::Result(result))
    };
    Examples::of(&ENTRY).flags("\"\"", list("")).passes(list("private"))
}
