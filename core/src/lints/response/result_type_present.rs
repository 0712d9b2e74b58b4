//! `result_type_present`.

use crate::lints::look::show;
use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, ResponseContext};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, error},
};
use crate::pointer::Members;
use serde_json::Value;

lint! {
    /// A result has no `resultType`.
    ///
    /// It tells clients whether the result is complete or asks for something; strict clients refuse a result without it.
    ResultTypePresent(Response, Error) {}
    spec: "basic/index#resulttype", fix: "Put `\"resultType\": \"complete\"` into every complete result.", since: V2026_07_28
}

impl Lint for ResultTypePresent {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        let method = &context.exchange.method;
        let Some(result) = context.exchange.result() else {
            return;
        };
        // `initialize` belongs to the revisions with a handshake, whose results have no such member.
        if method == "initialize" {
            return;
        }
        let what = match result.member("resultType") {
            Some(Value::String(_)) => return,
            Some(other) => format!("the resultType {}", show(other)),
            None => "no resultType".to_owned(),
        };
        problems.push(Problem::new(
            format!("{method} without resultType"),
            format!("the result of {method} has {what}"),
        ));
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::exchange::Reply;
    use crate::protocol::Revision;
    use serde_json::json;

    let list = |result| {
        Scene::at(Revision::V2026_07_28).asked("tools/list", json!({}), Reply::Result(result))
    };
    Examples::of(&ENTRY)
        .flags("no resultType", list(json!({"tools": []})))
        .flags("the resultType null", list(json!({"tools": [], "resultType": null})))
        .passes(list(json!({"tools": [], "resultType": "complete"})))
        .passes(Scene::at(Revision::V2026_07_28).asked("x", json!({}), error(-32601, "no")))
}
