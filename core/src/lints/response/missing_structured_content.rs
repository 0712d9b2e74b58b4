//! `missing_structured_content`.

use crate::lints::look::call_result;
use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, ResponseContext};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use crate::pointer::Members;

lint! {
    /// A tool with an output schema answered without `structuredContent`.
    ///
    /// Clients that count on the schema have nothing to read; strict ones refuse the result.
    MissingStructuredContent(Response, Warning) {}
    spec: "server/tools#output-schema", fix: "Return the data as `structuredContent` too, or drop `outputSchema`.", since: V2025_06_18
}

impl Lint for MissingStructuredContent {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        let Some(result) = call_result(context).filter(|_| !context.exchange.is_tool_error())
        else {
            return;
        };
        let promised = context.tool.is_some_and(|tool| tool.output.is_some());
        if promised && result.member("structuredContent").is_none() {
            problems.push(Problem::new(
                "no structuredContent",
                "the tool has an outputSchema, but its result has no structuredContent",
            ));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use serde_json::json;

    let tool = || Scene::new().output_schema(json!({"type": "object"}));
    Examples::of(&ENTRY)
        .flags("no structuredContent", tool().call("tool", json!({}), json!({"content": []})))
        .passes(tool().call("tool", json!({}), json!({"content": [], "structuredContent": {}})))
        .passes(tool().call("tool", json!({}), json!({"content": [], "isError": true})))
        .passes(Scene::new().call("tool", json!({}), json!({"content": []})))
}
