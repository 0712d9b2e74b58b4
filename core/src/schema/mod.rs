//! JSON Schema: compiled once per tool, then asked whether a value is valid, what is wrong with it, and which parameters
//! the schema has.
//!
//! A schema is compiled even when it has a fault: the fault is recorded as a [`SchemaError`] and a repaired copy is used,
//! so that one bad keyword never costs a whole tool. Remote references are never fetched.

mod accept;
mod bounded;
mod canonical;
mod compile;
mod decimal;
mod dialect;
mod dictionary;
mod error;
pub(crate) mod files;
mod find;
mod height;
mod hints;
mod nesting;
mod parameter;
mod pattern;
pub(crate) mod plan;
mod references;
mod repair;
mod statements;
mod structural;
mod tighten;
mod validator;
mod violation;
pub(crate) mod walk;
mod words;

pub(crate) use accept::{has_equal, same};
pub use compile::CompiledSchema;
pub(crate) use decimal::Decimal;
pub use dialect::Dialect;
pub use error::SchemaError;
pub(crate) use hints::advised;
pub(crate) use parameter::Spot;
pub use parameter::{JsonTypes, Parameter, Parameters};
pub(crate) use pattern::{Pattern, Piece};
pub use violation::Violation;
pub use words::{key_tokens, singular};
