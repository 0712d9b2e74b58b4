//! `tool_schema_int_bounds`.

use super::tool_schema::{has_type, schemas};
use crate::lints::meta::lint;
use crate::lints::{Lint, ListContext, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
#[cfg(test)]
use serde_json::json;
use serde_json::{Number, Value};

lint! {
    /// The bounds of an integer go beyond what JavaScript can hold exactly.
    ///
    /// Many clients read numbers as 64-bit floats: integers beyond 2^53 − 1 are rounded on the way.
    ToolSchemaIntBounds(List, Disabled) {}
    spec: "server/tools#x-mcp-header", fix: "Bound the integer by ±9007199254740991, or send large numbers as strings."
}

const LARGEST_EXACT: f64 = 9_007_199_254_740_991.0;

impl Lint for ToolSchemaIntBounds {
    fn list(&self, context: &ListContext<'_>, problems: &mut Vec<Problem>) {
        for schema in schemas(context.catalog) {
            for inner in schema.inner().into_iter().filter(|inner| has_type(inner.value, "integer"))
            {
                for keyword in ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"] {
                    let bound = inner.value.get(keyword).and_then(Value::as_number);
                    let beyond = |number: &&Number| {
                        number.as_f64().is_some_and(|bound| bound.abs() > LARGEST_EXACT)
                    };
                    if let Some(bound) = bound.filter(beyond) {
                        let message = format!("`{keyword}` is {bound}, beyond ±(2^53 − 1)");
                        problems.push(schema.problem(keyword, &inner.pointer, message));
                    }
                }
            }
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    let scene = |maximum: u64| {
        Scene::new().input_schema(
            json!({"type": "object", "properties": {"a": {"type": "integer", "maximum": maximum}}}),
        )
    };
    Examples::of(&ENTRY)
        .flags("inputSchema at /properties/a: `maximum` is 18446744073709551615", scene(u64::MAX))
        .passes(scene(9_007_199_254_740_991))
}
