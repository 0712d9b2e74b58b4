//! `call_structured_matches_schema`.

use crate::lints::look::call_result;
use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, ResponseContext};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use crate::pointer::Members;

lint! {
    /// Structured content breaks the tool's own output schema.
    ///
    /// Clients validate the one against the other and refuse the result, or read members that are not there.
    CallStructuredMatchesSchema(Response, Error) {}
    spec: "server/tools#output-schema", fix: "Make the schema say what the tool returns (optional and nullable members included), or return what it says.", since: V2025_06_18
}

impl Lint for CallStructuredMatchesSchema {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        let Some(result) = call_result(context).filter(|_| !context.exchange.is_tool_error())
        else {
            return;
        };
        let schema = context.tool.and_then(|tool| tool.output_schema());
        let (Some(schema), Some(value)) = (schema, result.member("structuredContent")) else {
            return;
        };
        // A null where an object is due is `call_structured_is_object`; a repaired schema is only a guess.
        if schema.is_repaired() || schema.is_valid(value) {
            return;
        }
        let violations = schema.violations(value);
        if let Some(first) = violations.first() {
            let place = if first.instance_pointer.is_empty() {
                "structuredContent"
            } else {
                &first.instance_pointer
            };
            let more = match violations.len() {
                1 => String::new(),
                count => format!(" (and {} more)", count - 1),
            };
            problems.push(
                Problem::new(
                    format!("{} at {}", first.keyword, first.schema_pointer),
                    format!("{place} breaks the output schema: {}{more}", first.message),
                )
                .evidence(crate::lints::look::show(value)),
            );
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use serde_json::json;

    let schema =
        json!({"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]});
    let call = |content| {
        Scene::new().output_schema(schema.clone()).call(
            "tool",
            json!({}),
            json!({"content": [], "structuredContent": content}),
        )
    };
    Examples::of(&ENTRY)
        .flags("/n breaks the output schema", call(json!({"n": "1"})))
        .flags("structuredContent breaks", call(json!({})))
        .passes(call(json!({"n": 1, "m": null})))
        .passes(Scene::new().call(
            "tool",
            json!({}),
            json!({"content": [], "structuredContent": {}}),
        ))
}
