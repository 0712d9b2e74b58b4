//! The schemas of tools, and the schemas inside them.

use super::item::{Item, tools};
use crate::catalog::Catalog;
use crate::lints::{ListContext, Problem};
use crate::protocol::Revision;
use crate::schema::{CompiledSchema, SchemaError, walk};
use serde_json::Value;
use std::fmt;
use std::sync::Arc;

/// An input or output schema that is a JSON object.
#[derive(Clone, Copy)]
pub(super) struct ToolSchema<'a> {
    /// The tool.
    pub(super) tool: Item<'a>,
    /// `inputSchema` or `outputSchema`.
    pub(super) member: &'static str,
    /// The schema.
    pub(super) root: &'a Value,
}

/// A schema inside a tool's schema.
pub(super) struct Inner<'a> {
    /// Its JSON Pointer in the tool's schema.
    pub(super) pointer: String,
    /// The schema: an object or a boolean, or a fault.
    pub(super) value: &'a Value,
}

/// The input schemas and output schemas of all tools that are objects.
pub(super) fn schemas(catalog: &Catalog) -> impl Iterator<Item = ToolSchema<'_>> {
    tools(catalog).flat_map(|tool| {
        ["inputSchema", "outputSchema"].into_iter().filter_map(move |member| {
            let root = tool.raw.get(member).filter(|schema| schema.is_object())?;
            Some(ToolSchema { tool, member, root })
        })
    })
}

/// The input schemas alone.
pub(super) fn input_schemas(catalog: &Catalog) -> impl Iterator<Item = ToolSchema<'_>> {
    schemas(catalog).filter(|schema| schema.member == "inputSchema")
}

impl<'a> ToolSchema<'a> {
    /// The schema itself and every schema inside it, outermost first.
    pub(super) fn inner(self) -> Vec<Inner<'a>> {
        let mut found = Vec::new();
        walk::visit(self.root, &mut |pointer, value| {
            found.push(Inner { pointer: pointer.to_owned(), value });
        });
        found
    }

    /// The schema as compiled; nothing for tools that have no name, or the name of another one.
    pub(super) fn compiled(
        self,
        catalog: &Catalog,
    ) -> Option<&Result<Arc<CompiledSchema>, SchemaError>> {
        let tool = catalog.tool(self.tool.key()?).filter(|tool| tool.raw == *self.tool.raw)?;
        if self.member == "inputSchema" { Some(&tool.input) } else { tool.output.as_ref() }
    }

    /// A problem at a JSON Pointer of the schema. The rule names schema and pointer, so that each place is a finding.
    pub(super) fn problem(self, rule: &str, pointer: &str, message: impl fmt::Display) -> Problem {
        let member = self.member;
        let at =
            if pointer.is_empty() { member.to_owned() } else { format!("{member} at {pointer}") };
        self.tool.problem(format!("{rule}: {member}{pointer}"), format!("{at}: {message}"))
    }
}

/// Whether a schema at that pointer is applied to the same value as the schema around it.
pub(super) fn is_in_place(pointer: &str) -> bool {
    let mut tokens = pointer.rsplit('/');
    let (last, before) = (tokens.next().unwrap_or_default(), tokens.next().unwrap_or_default());
    matches!(last, "not" | "if" | "then" | "else")
        || matches!(before, "allOf" | "anyOf" | "oneOf" | "dependentSchemas" | "dependencies")
}

/// Whether the schema says in `type` that values are (or may be) of that type.
pub(super) fn has_type(schema: &Value, name: &str) -> bool {
    match schema.get("type") {
        Some(Value::String(one)) => one == name,
        Some(Value::Array(several)) => several.iter().any(|one| one == name),
        _ => false,
    }
}

/// The faults of a schema as the compiler sees them: those that it repaired, or the one that made it give up.
pub(super) fn defects(compiled: &Result<Arc<CompiledSchema>, SchemaError>) -> &[SchemaError] {
    match compiled {
        Ok(schema) => schema.defects(),
        Err(error) => std::slice::from_ref(error),
    }
}

/// Whether a fault is that of a regular expression.
pub(super) fn is_pattern_fault(defect: &SchemaError, root: &Value) -> bool {
    let SchemaError::Invalid { pointer, keyword, .. } = defect else {
        return false;
    };
    match keyword.as_str() {
        "pattern" => root.pointer(pointer).is_some_and(Value::is_string),
        _ => {
            pointer.rsplit('/').nth(1) == Some("patternProperties")
                || keyword == "patternProperties"
        }
    }
}

/// Faults of the schemas under `member` that are a keyword's, one problem each.
pub(super) fn report_invalid(
    context: &ListContext<'_>,
    member: &'static str,
    problems: &mut Vec<Problem>,
) {
    // Before 2025-11-25 no dialect was prescribed.
    let is_rule = context.revision >= Revision::V2025_11_25;
    for schema in schemas(context.catalog).filter(|schema| schema.member == member) {
        for defect in schema.compiled(context.catalog).map_or(&[][..], defects) {
            let SchemaError::Invalid { pointer, explanation, .. } = defect else {
                continue;
            };
            if !is_pattern_fault(defect, schema.root) {
                let problem = schema.problem("invalid", pointer, explanation);
                problems.push(if is_rule { problem } else { problem.warning() });
            }
        }
    }
}
