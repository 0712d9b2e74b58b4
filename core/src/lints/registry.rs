//! The registry: every lint's name, once. Everything else about lints is derived from it.

use super::meta::Meta;
use super::{Lint, suite::ParamsError};
use schemars::{JsonSchema, Schema};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

/// A registered lint.
pub struct Entry {
    /// What is known of it without running it.
    pub meta: &'static Meta,
    /// Makes the lint from its parameters (`null` or an object; absent ones take their defaults).
    pub build: fn(&Value) -> Result<Box<dyn Lint>, ParamsError>,
    /// The default parameters, as an object.
    pub defaults: fn() -> Value,
    /// The JSON Schema of the parameters.
    pub schema: fn() -> Schema,
}

impl Entry {
    /// The entry of lint `L`.
    pub(crate) const fn of<L>(meta: &'static Meta) -> Self
    where
        L: Lint + Default + Serialize + DeserializeOwned + JsonSchema + 'static,
    {
        Self { meta, build: build::<L>, defaults: defaults::<L>, schema: schema::<L> }
    }
}

fn build<L: Lint + Default + DeserializeOwned + 'static>(
    params: &Value,
) -> Result<Box<dyn Lint>, ParamsError> {
    if params.is_null() {
        return Ok(Box::new(L::default()));
    }
    match serde_json::from_value::<L>(params.clone()) {
        Ok(lint) => Ok(Box::new(lint)),
        Err(error) => Err(ParamsError(error.to_string())),
    }
}

fn defaults<L: Default + Serialize>() -> Value {
    serde_json::to_value(L::default()).unwrap_or_default()
}

fn schema<L: JsonSchema>() -> Schema {
    schemars::schema_for!(L)
}

/// Every lint, folder by folder, in alphabetical order within each.
pub fn entries() -> impl Iterator<Item = &'static Entry> {
    [
        super::list::ENTRIES,
        super::session::ENTRIES,
        super::transport::ENTRIES,
        super::response::ENTRIES,
        super::stateful::ENTRIES,
        super::run::ENTRIES,
    ]
    .into_iter()
    .flatten()
    .copied()
}

/// The entry with that id.
pub fn entry(id: &str) -> Option<&'static Entry> {
    entries().find(|entry| entry.meta.id == id)
}

/// Declares a folder's lints: one word a lint, in alphabetical order.
macro_rules! lints {
    ($($module:ident)*) => {
        $(mod $module;)*
        /// The folder's lints.
        pub(super) static ENTRIES: &[&crate::lints::Entry] = &[$(&$module::ENTRY),*];
        /// What the folder's lints flag and what they leave alone.
        #[cfg(test)]
        pub(super) static EXAMPLES: &[fn() -> crate::lints::examples::Examples] = &[$($module::examples),*];
    };
}
pub(crate) use lints;
