//! `input_required_supported_methods`.

use crate::lints::look::input_required;
use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, ResponseContext};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};

lint! {
    /// A request that may not ask for input was answered with `input_required`.
    ///
    /// Only `tools/call`, `prompts/get` and `resources/read` may ask; clients of other requests do not retry.
    InputRequiredSupportedMethods(Response, Error) {}
    spec: "basic/patterns/mrtr#supported-requests", fix: "Answer this request completely.", since: V2026_07_28
}

impl Lint for InputRequiredSupportedMethods {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        let method = context.exchange.method.as_str();
        let may_ask = matches!(method, "tools/call" | "prompts/get" | "resources/read");
        if !may_ask && input_required(context).next().is_some() {
            problems.push(Problem::new(
                format!("{method} asks for input"),
                format!("{method} was answered with input_required"),
            ));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::exchange::Reply;
    use crate::protocol::Revision;
    use serde_json::json;

    let asked = |method: &str| {
        let result = json!({"resultType": "input_required", "requestState": "x"});
        Scene::at(Revision::V2026_07_28).asked(method, json!({}), Reply::Result(result))
    };
    Examples::of(&ENTRY).flags("tools/list was", asked("tools/list")).passes(asked("prompts/get"))
}
