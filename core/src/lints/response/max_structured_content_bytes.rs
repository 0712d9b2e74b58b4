//! `max_structured_content_bytes`.

use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, ResponseContext};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use crate::pointer::Members;
#[cfg(test)]
use serde_json::json;

lint! {
    /// A call's structured content is larger than the configured number of bytes.
    ///
    /// Results go into the model's context; clients cut or drop large ones. Counted are the UTF-8 bytes of the content as compact JSON.
    MaxStructuredContentBytes(Response, Warning) {
        /// The largest number of bytes that is fine.
        max_bytes: usize = 262_144,
    }
    spec: "", fix: "Page the result, filter on the server, or return a resource link instead of the content."
}

impl Lint for MaxStructuredContentBytes {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        let structured =
            context.exchange.result().and_then(|result| result.member("structuredContent"));
        let Some(bytes) = structured.map(|structured| structured.to_string().len()) else {
            return;
        };
        if bytes > self.max_bytes {
            let message =
                format!("`structuredContent` has {bytes} bytes; the limit is {}", self.max_bytes);
            problems.push(Problem::new("too large", message));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    let scene = |max_bytes: usize| {
        let result = json!({"content": [], "structuredContent": {"a": "é"}});
        Scene::new().call("tool", json!({}), result).params(json!({ "max_bytes": max_bytes }))
    };
    Examples::of(&ENTRY)
        .flags("`structuredContent` has 10 bytes; the limit is 9", scene(9))
        .passes(scene(10))
        .passes(
            Scene::new()
                .call("tool", json!({}), json!({"content": []}))
                .params(json!({"max_bytes": 0})),
        )
}
