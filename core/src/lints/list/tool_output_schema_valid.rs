//! `tool_output_schema_valid`.

use super::tool_schema::report_invalid;
use crate::lints::meta::lint;
use crate::lints::{Lint, ListContext, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
#[cfg(test)]
use serde_json::json;

lint! {
    /// An output schema breaks the rules of its JSON Schema dialect.
    ///
    /// Clients that check results by it fail every call of the tool, or refuse the tool. Without `$schema` the dialect is 2020-12.
    ToolOutputSchemaValid(List, Error) {}
    spec: "basic/index#schema-validation", fix: "Correct the keyword as the message says.", since: V2025_06_18
}

impl Lint for ToolOutputSchemaValid {
    fn list(&self, context: &ListContext<'_>, problems: &mut Vec<Problem>) {
        report_invalid(context, "outputSchema", problems);
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    let schema = |kind: &str| json!({"type": "object", "properties": {"a": {"type": kind}}});
    Examples::of(&ENTRY)
        .flags(
            "tool \"tool\": outputSchema at /properties/a/type",
            Scene::new().output_schema(schema("float")),
        )
        .passes(Scene::new().output_schema(schema("number")))
        .passes(Scene::new().input_schema(schema("float")))
}
