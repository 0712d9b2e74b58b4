//! `tooltest.toml`: which lints run, at which level, with which parameters.

mod discover;
mod document;
mod error;
mod parse;
mod runner;
mod schema;
mod write;

pub use discover::{FILE_NAME, Origin, discover, load};
pub use error::ConfigError;
pub use parse::parse;
pub use runner::RunnerConfig;
pub use schema::json_schema;
pub use write::default_toml;

use crate::lints::{Level, Suite, entries};
use serde_json::Value;

/// The version of the file format that this tooltest reads and writes.
pub const VERSION: u32 = 1;

/// A configuration: a `tooltest.toml` as read, or the built-in one.
#[derive(Debug, Clone, PartialEq)]
pub struct Config {
    /// The version of the file format.
    pub version: u32,
    /// The lints listed, in the order listed. A lint that is not listed does not run, unless its level is fixed.
    pub lints: Vec<LintConfig>,
    /// What MCP mode's script runner may do; absent means that it is off.
    pub runner: Option<RunnerConfig>,
}

/// What a configuration says about one lint.
#[derive(Debug, Clone, PartialEq)]
pub struct LintConfig {
    /// The lint's id.
    pub id: &'static str,
    /// The level of its findings.
    pub level: Level,
    /// Its parameters as an object; absent ones take their defaults.
    pub params: Value,
}

impl Config {
    /// The built-in configuration: every lint at its own level with its default parameters.
    pub fn built_in() -> Self {
        let lints = entries()
            .map(|entry| LintConfig {
                id: entry.meta.id,
                level: entry.meta.level,
                params: (entry.defaults)(),
            })
            .collect();
        Self { version: VERSION, lints, runner: None }
    }

    /// What the configuration says about the lint with that id, if it lists it.
    pub fn lint(&self, id: &str) -> Option<&LintConfig> {
        self.lints.iter().find(|lint| lint.id == id)
    }

    /// The lints that run: those listed at a level other than disabled, and those whose level is fixed.
    pub fn suite(&self) -> Suite {
        Suite::with(|id| match self.lint(id) {
            Some(lint) => Some((lint.level, lint.params.clone())),
            None if crate::lints::entry(id).is_some_and(|entry| entry.meta.fixed) => None,
            None => Some((Level::Disabled, Value::Null)),
        })
        .expect("parameters were checked when the configuration was read")
    }
}

impl Default for Config {
    fn default() -> Self {
        Self::built_in()
    }
}
