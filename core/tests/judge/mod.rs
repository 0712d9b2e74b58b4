//! A second opinion: a JSON Schema validator that shares no code with the one under the generator.

use boon::{Compiler, Draft, SchemaIndex, Schemas};
use serde_json::Value;
use tooltest_core::schema::{CompiledSchema, Dialect};

const LOCATION: &str = "https://judge.invalid/schema.json";

/// Judges values by the schema that was read.
pub(crate) struct Judge {
    schemas: Schemas,
    index: SchemaIndex,
    /// Whether patterns had to be left out, because the validator has no look-around.
    pub(crate) lenient: bool,
}

impl Judge {
    /// `None` where the validator cannot compile the schema at all.
    pub(crate) fn new(schema: &CompiledSchema) -> Option<Self> {
        let draft = match schema.dialect() {
            Dialect::Draft4 => Draft::V4,
            Dialect::Draft6 => Draft::V6,
            Dialect::Draft7 => Draft::V7,
            Dialect::Draft201909 => Draft::V2019_09,
            Dialect::Draft202012 => Draft::V2020_12,
        };
        let compile = |document: Value| {
            let mut schemas = Schemas::new();
            let mut compiler = Compiler::new();
            compiler.set_default_draft(draft);
            compiler.add_resource(LOCATION, document).ok()?;
            let index = compiler.compile(LOCATION, &mut schemas).ok()?;
            Some((schemas, index))
        };
        let document = schema.read().clone();
        let exact = compile(document.clone()).map(|found| (found, false));
        let ((schemas, index), lenient) = exact.or_else(|| {
            let mut document = document;
            drop_lookaround(&mut document);
            compile(document).map(|found| (found, true))
        })?;
        Some(Self { schemas, index, lenient })
    }

    pub(crate) fn is_valid(&self, value: &Value) -> bool {
        self.schemas.validate(value, self.index).is_ok()
    }
}

fn drop_lookaround(value: &mut Value) {
    match value {
        Value::Object(members) => {
            let is_unsupported = |pattern: &Value| {
                pattern.as_str().is_some_and(|text| {
                    text.contains("(?=") || text.contains("(?!") || text.contains("\\1")
                })
            };
            if members.get("pattern").is_some_and(is_unsupported) {
                members.remove("pattern");
            }
            members.values_mut().for_each(drop_lookaround);
        }
        Value::Array(items) => items.iter_mut().for_each(drop_lookaround),
        _ => {}
    }
}
