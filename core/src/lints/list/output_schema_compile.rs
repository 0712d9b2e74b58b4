//! `output_schema_compile`.

use super::tool_schema::{defects, schemas};
use crate::lints::meta::lint;
use crate::lints::{Lint, ListContext, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use crate::schema::SchemaError;
#[cfg(test)]
use serde_json::json;

lint! {
    /// An output schema cannot be compiled as it stands.
    ///
    /// Nobody can check the tool's structured results against it: clients refuse the tool or leave the check out, and tooltest judges by a repaired copy at best.
    OutputSchemaCompile(List, Warning) {}
    spec: "basic/index#schema-validation", fix: "Correct what the message names, or leave `outputSchema` out.", since: V2025_06_18
}

impl Lint for OutputSchemaCompile {
    fn list(&self, context: &ListContext<'_>, problems: &mut Vec<Problem>) {
        for schema in schemas(context.catalog).filter(|schema| schema.member == "outputSchema") {
            let defects = schema.compiled(context.catalog).map_or(&[][..], defects);
            let is_fault =
                |defect: &&SchemaError| !matches!(defect, SchemaError::UnknownDialect { .. });
            let mut faults = defects.iter().filter(is_fault);
            if let Some(first) = faults.next() {
                let more = match faults.count() {
                    0 => String::new(),
                    more => format!(" (and {more} more)"),
                };
                problems.push(schema.problem(
                    "compile",
                    "",
                    format!("it does not compile: {first}{more}"),
                ));
            }
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    let schema = |a: serde_json::Value| json!({"type": "object", "properties": {"a": a}});
    Examples::of(&ENTRY)
        .flags(
            "tool \"tool\": outputSchema: it does not compile",
            Scene::new().output_schema(schema(json!({"type": 5}))),
        )
        .flags("it does not compile", Scene::new().output_schema(schema(json!({"pattern": "["}))))
        .flags(
            "it does not compile",
            Scene::new().output_schema(schema(json!({"$ref": "#/$defs/X"}))),
        )
        .passes(Scene::new().output_schema(schema(json!({"type": "string"}))))
        .passes(Scene::new().input_schema(schema(json!({"type": 5}))))
}
