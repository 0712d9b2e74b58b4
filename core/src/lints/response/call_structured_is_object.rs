//! `call_structured_is_object`.

use crate::lints::look::{call_result, show};
use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, ResponseContext};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use crate::pointer::Members;

lint! {
    /// `structuredContent` is no object.
    ///
    /// Before 2026-07-28 it must be one: typed clients refuse an array, a text or null.
    CallStructuredIsObject(Response, Error) {}
    spec: "server/tools#structured-content", fix: "Wrap the value in an object, for example `{\"result\": …}`; leave the member out where there is nothing.", since: V2025_06_18, until: V2025_11_25
}

impl Lint for CallStructuredIsObject {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        let structured = call_result(context).and_then(|result| result.member("structuredContent"));
        if let Some(value) = structured.filter(|value| !value.is_object()) {
            problems.push(Problem::new(
                "no object",
                format!("structuredContent is {}, not an object", show(value)),
            ));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use serde_json::json;

    let call = |content| {
        Scene::new().call("tool", json!({}), json!({"content": [], "structuredContent": content}))
    };
    Examples::of(&ENTRY)
        .flags("[1]", call(json!([1])))
        .flags("null", call(json!(null)))
        .passes(call(json!({})))
        .passes(Scene::new().call("tool", json!({}), json!({"content": []})))
}
