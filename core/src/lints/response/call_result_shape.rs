//! `call_result_shape`.

use crate::lints::look::call_result;
use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, ResponseContext};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use crate::protocol::shapes;

lint! {
    /// A tool result has no `content` array, or an `isError` that is no boolean.
    ///
    /// `content` is required even where it is empty and the answer is in `structuredContent`; typed clients refuse the
    /// result.
    CallResultShape(Response, Error) {}
    spec: "server/tools#tool-result", fix: "Send `content` as an array (empty if need be) and `isError` as true or false."
}

impl Lint for CallResultShape {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        let Some(result) = call_result(context) else {
            return;
        };
        for fault in shapes::check_result(context.revision, "tools/call", result) {
            if matches!(fault.pointer.as_str(), "" | "/content" | "/isError") {
                problems.push(Problem::new(fault.rule(), format!("in the result, {fault}")));
            }
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use serde_json::json;

    let call = |result| Scene::new().call("tool", json!({}), result);
    Examples::of(&ENTRY)
        .flags("/content must be an array, not nothing", call(json!({"structuredContent": {}})))
        .flags("/content must be an array, not \"text\"", call(json!({"content": "text"})))
        .flags(
            "/isError must be true or false, not null",
            call(json!({"content": [], "isError": null})),
        )
        .flags("the whole must be an object", call(json!([])))
        .passes(call(json!({"content": []})))
        .passes(call(json!({"task": {}})))
}
