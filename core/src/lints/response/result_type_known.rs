//! `result_type_known`.

use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, ResponseContext};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use crate::pointer::Members;

lint! {
    /// A result has a `resultType` that nothing defines.
    ///
    /// A client can do nothing with a result of a type that it does not know.
    ResultTypeKnown(Response, Error) {}
    spec: "basic/index#resulttype", fix: "Use `complete` or `input_required`, or a type of an extension that the request declares.", since: V2026_07_28
}

impl Lint for ResultTypeKnown {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        let result = context.exchange.result();
        let Some(kind) = result.and_then(|result| result.member("resultType")?.as_str()) else {
            return;
        };
        // Whether a task may come is `task_e_needs_extension`.
        if !matches!(kind, "complete" | "input_required" | "task") {
            problems.push(Problem::new(
                format!("resultType {kind}"),
                format!(
                    "the result of {} has the unknown resultType {kind:?}",
                    context.exchange.method
                ),
            ));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::exchange::Reply;
    use crate::protocol::Revision;
    use serde_json::json;

    let list = |kind| {
        let result = json!({"tools": [], "resultType": kind});
        Scene::at(Revision::V2026_07_28).asked("tools/list", json!({}), Reply::Result(result))
    };
    Examples::of(&ENTRY).flags("\"banana\"", list("banana")).passes(list("complete"))
}
