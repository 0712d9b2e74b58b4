//! Compiled validators, and what their compiler says when it refuses a schema.

use jsonschema::{PatternOptions, ValidationError, error::ValidationErrorKind};
use serde_json::{Value, json};

use super::{Dialect, SchemaError, repair, violation};

/// Steps a pattern may backtrack before the string counts as no match.
const BACKTRACK_LIMIT: usize = 1_000_000;

pub(super) use jsonschema::Validator;

/// Compiles `schema`. Remote references are refused, unknown formats ignored.
pub(super) fn build(
    schema: &Value,
    dialect: Dialect,
    formats: bool,
) -> Result<Validator, ValidationError<'static>> {
    jsonschema::options()
        .with_draft(dialect.draft())
        .offline()
        .should_validate_formats(formats)
        .should_ignore_unknown_formats(true)
        .with_pattern_options(PatternOptions::fancy_regex().backtrack_limit(BACKTRACK_LIMIT))
        .build(schema)
}

/// Every way in which `schema` breaks the rules of its dialect, best explained first; empty if it breaks none.
pub(super) fn faults(schema: &Value, dialect: Dialect) -> Vec<ValidationError<'_>> {
    let meta = match dialect {
        Dialect::Draft4 => jsonschema::draft4::meta::validator(),
        Dialect::Draft6 => jsonschema::draft6::meta::validator(),
        Dialect::Draft7 => jsonschema::draft7::meta::validator(),
        Dialect::Draft201909 => jsonschema::draft201909::meta::validator(),
        Dialect::Draft202012 => jsonschema::draft202012::meta::validator(),
    };
    let errors: Vec<ValidationError<'static>> =
        meta.iter_errors(schema).map(ValidationError::to_owned).collect();
    errors
}

/// The compiler's complaint in our words.
pub(super) fn explain(error: &ValidationError<'_>, schema: &Value) -> SchemaError {
    if let ValidationErrorKind::Referencing(error) = error.kind() {
        return SchemaError::Unsupported { message: error.to_string() };
    }
    let pointer = error.instance_path().as_str().to_owned();
    let keyword = keyword_at(&pointer, error);
    let explanation = repair::explanation(schema, &pointer)
        .unwrap_or_else(|| violation::shortened(&error.to_string()));
    SchemaError::Invalid { pointer, keyword, explanation }
}

/// The schema keyword that a pointer into a schema ends at, as well as it can be told without walking the schema.
fn keyword_at(pointer: &str, error: &ValidationError<'_>) -> String {
    pointer
        .rsplit('/')
        .find(|token| !token.is_empty() && token.parse::<usize>().is_err())
        .map_or_else(|| error.kind().keyword().to_owned(), str::to_owned)
}

/// The formats that a string must have (or must not have), with their checkers.
#[derive(Debug, Default)]
pub(crate) struct Formats {
    wanted: Vec<(String, Validator)>,
    barred: Vec<(String, Validator)>,
}

impl Formats {
    /// Checkers for the formats that the dialect knows; others are left out.
    pub(super) fn new(wanted: &[String], barred: &[String], dialect: Dialect) -> Self {
        let checkers = |names: &[String]| {
            names
                .iter()
                .filter_map(|name| {
                    let validator = build(&json!({"format": name}), dialect, true).ok()?;
                    Some((name.clone(), validator))
                })
                .collect()
        };
        Self { wanted: checkers(wanted), barred: checkers(barred) }
    }

    /// The names of the formats that a string must have.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.wanted.iter().map(|(name, _)| name.as_str())
    }

    /// Whether nothing is asked for.
    pub(crate) fn is_empty(&self) -> bool {
        self.wanted.is_empty() && self.barred.is_empty()
    }

    /// Whether `text` has every wanted format and no barred one.
    pub(crate) fn accept(&self, text: &str) -> bool {
        if self.is_empty() {
            return true;
        }
        let value = Value::from(text);
        self.wanted.iter().all(|(_, format)| format.is_valid(&value))
            && !self.barred.iter().any(|(_, format)| format.is_valid(&value))
    }
}
