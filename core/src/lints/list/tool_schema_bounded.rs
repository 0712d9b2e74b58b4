//! `tool_schema_bounded`.

use super::tool_schema::schemas;
use crate::lints::meta::lint;
use crate::lints::{Lint, ListContext, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
#[cfg(test)]
use crate::protocol::Revision;
use serde_json::Value;
#[cfg(test)]
use serde_json::json;

lint! {
    /// A schema is deeper or has more subschemas than validators are asked to follow.
    ///
    /// Clients bound what they compile, so that a schema cannot be used to exhaust them, and refuse the tool beyond.
    ToolSchemaBounded(List, Warning) {
        /// The largest number of levels that is fine.
        max_depth: usize = 64,
        /// The largest number of subschemas that is fine.
        max_subschemas: usize = 10_000,
    }
    spec: "basic/index#composition-keyword-resource-use", fix: "Flatten the schema, or name shared parts under `$defs` and refer to them.", since: V2026_07_28
}

impl Lint for ToolSchemaBounded {
    fn list(&self, context: &ListContext<'_>, problems: &mut Vec<Problem>) {
        for schema in schemas(context.catalog) {
            let inner = schema.inner();
            if inner.len() > self.max_subschemas {
                let message = format!(
                    "it has {} subschemas; the limit is {}",
                    inner.len(),
                    self.max_subschemas
                );
                problems.push(schema.problem("subschemas", "", message));
            }
            let depth = depth(schema.root);
            if depth > self.max_depth {
                let message =
                    format!("it is nested {depth} levels deep; the limit is {}", self.max_depth);
                problems.push(schema.problem("depth", "", message));
            }
        }
    }
}

/// Levels of JSON nesting, found without recursion.
fn depth(value: &Value) -> usize {
    let mut deepest = 0;
    let mut open = vec![(value, 1)];
    while let Some((value, level)) = open.pop() {
        match value {
            Value::Array(items) => open.extend(items.iter().map(|item| (item, level + 1))),
            Value::Object(members) => {
                open.extend(members.values().map(|member| (member, level + 1)))
            }
            _ => continue,
        }
        deepest = deepest.max(level);
    }
    deepest
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    let nested = |levels: usize| {
        (0..levels).fold(
            json!({"type": "string"}),
            |inner, _| json!({"type": "object", "properties": {"a": inner}}),
        )
    };
    let scene = |schema: Value| Scene::at(Revision::V2026_07_28).input_schema(schema);
    Examples::of(&ENTRY)
        .flags("inputSchema: it is nested 81 levels deep; the limit is 64", scene(nested(40)))
        .flags(
            "it has 3 subschemas; the limit is 2",
            scene(nested(2)).params(json!({"max_subschemas": 2})),
        )
        .passes(scene(nested(10)))
}
