//! `tool_schema_pattern_valid`.

use super::item::quoted;
use super::tool_schema::schemas;
use crate::lints::meta::lint;
use crate::lints::{Lint, ListContext, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use serde_json::Value;
#[cfg(test)]
use serde_json::json;

lint! {
    /// A `pattern` is not a regular expression of ECMA-262.
    ///
    /// JSON Schema patterns are JavaScript's, read with the `u` flag. Clients that cannot compile one refuse the tool, or every call of it.
    ToolSchemaPatternValid(List, Warning) {}
    spec: "JSON Schema 2020-12, 6.3.3 and 6.4", fix: "Write the pattern as JavaScript would have it: no `(?i)`, `(?P<name>…)`, `\\A` or `\\Z`, and no needless backslashes."
}

impl Lint for ToolSchemaPatternValid {
    fn list(&self, context: &ListContext<'_>, problems: &mut Vec<Problem>) {
        for schema in schemas(context.catalog) {
            for inner in schema.inner() {
                for pattern in patterns(inner.value) {
                    if let Some(wrong) = fault(pattern) {
                        let message = format!("the pattern {} {wrong}", quoted(pattern));
                        problems.push(schema.problem(
                            &format!("pattern {pattern}"),
                            &inner.pointer,
                            message,
                        ));
                    }
                }
            }
        }
    }
}

fn patterns(schema: &Value) -> impl Iterator<Item = &str> {
    let keys = schema.get("patternProperties").and_then(Value::as_object);
    let keys = keys.into_iter().flat_map(|patterns| patterns.keys().map(String::as_str));
    schema.get("pattern").and_then(Value::as_str).into_iter().chain(keys)
}

fn fault(pattern: &str) -> Option<String> {
    let error = regress::Regex::with_flags(pattern, "u").err()?;
    let reason = error.text.trim_end_matches('.').to_lowercase();
    if regress::Regex::new(pattern).is_ok() {
        return Some(format!("is not valid with the `u` flag: {reason}"));
    }
    Some(format!("is no regular expression of ECMA-262: {reason}"))
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    let pattern = |pattern: &str| {
        Scene::new().input_schema(
            json!({"type": "object", "properties": {"a": {"type": "string", "pattern": pattern}}}),
        )
    };
    Examples::of(&ENTRY)
        .flags("inputSchema at /properties/a: the pattern \"[a-\" is no regular expression", pattern("[a-"))
        .flags("is no regular expression", pattern("(?P<year>\\d+)"))
        .flags("is not valid with the `u` flag", pattern("\\Aa\\Z"))
        .flags("inputSchema: the pattern \"(\"", Scene::new().input_schema(json!({"type": "object", "patternProperties": {"(": {}}})))
        .passes(pattern("^(?=.*[A-Z])(?<!x)\\p{L}[\\w.-]+$"))
        .passes(pattern("^(?!\\.)(?!.*\\.\\.)([A-Za-z0-9_'+\\-\\.]*)[A-Za-z0-9_+-]@([A-Za-z0-9][A-Za-z0-9\\-]*\\.)+[A-Za-z]{2,}$"))
}
