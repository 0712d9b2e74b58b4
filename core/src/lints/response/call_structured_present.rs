//! `call_structured_present`.

use crate::case::Step;
use crate::exchange::Exchange;
use crate::lints::look::call_result;
use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, ResponseContext};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use crate::outcome::OutcomeKind;
use crate::pointer::Members;
use std::sync::Arc;

lint! {
    /// A tool that gave `structuredContent` before leaves it out for other arguments.
    ///
    /// Clients that read the structured data by its schema find nothing there, in just the cases that nobody tried.
    /// `missing_structured_content` has the tools that never give any.
    CallStructuredPresent(Response, Error) {}
    spec: "server/tools#output-schema", fix: "Return `structuredContent` with every success, for empty answers, too.", since: V2025_06_18
}

impl Lint for CallStructuredPresent {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        let Some(result) = call_result(context).filter(|_| !context.exchange.is_tool_error())
        else {
            return;
        };
        let Some(tool) = context.tool.filter(|tool| tool.output.is_some()) else {
            return;
        };
        let gave = |(step, exchange): &(Step, Arc<Exchange>)| {
            step.action.tool() == Some(&tool.name)
                && exchange
                    .result()
                    .is_some_and(|result| result.member("structuredContent").is_some())
        };
        if result.member("structuredContent").is_none()
            && context.outcome.kind == OutcomeKind::Ok
            && context.history.iter().any(gave)
        {
            problems.push(Problem::new(
                "sometimes",
                "the result has no structuredContent, though the tool has an outputSchema and gave some for other arguments",
            ));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use serde_json::json;

    let tool = || Scene::new().output_schema(json!({"type": "object"}));
    let bare = json!({"content": [{"type": "text", "text": "[]"}]});
    Examples::of(&ENTRY)
        .flags(
            "gave some for other arguments",
            tool()
                .after("tool", json!({"page": 1}), json!({"content": [], "structuredContent": {}}))
                .call("tool", json!({"page": 2}), bare.clone()),
        )
        .passes(tool().call("tool", json!({"page": 2}), bare))
}
