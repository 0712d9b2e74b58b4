//! What can go wrong with tooltest itself. A failing server is a result, never an error.

use crate::session::OpenError;

/// Why there is no result.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The input does not make sense; the message names the field and what is allowed.
    #[error("{field}: {message}")]
    Input {
        /// The field, as in `tool_allowlist` or `target.http.url`.
        field: String,
        /// What is wrong and what would be right.
        message: String,
    },
    /// The lint configuration does not make sense.
    #[error(transparent)]
    Config(#[from] crate::config::ConfigError),
    /// The server could not be started or connected to.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The command that resets outside state failed.
    #[error("the pre-run hook failed: {0}")]
    Hook(String),
    /// A file could not be read or written.
    #[error("{path}: {source}")]
    File {
        /// The file.
        path: String,
        /// What the system said.
        source: std::io::Error,
    },
    /// A fault of tooltest.
    #[error("tooltest has a bug: {0}")]
    Bug(String),
}

impl Error {
    /// The kind, for bindings: `input`, `config`, `open`, `hook`, `file` or `bug`.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Input { .. } => "input",
            Self::Config(_) => "config",
            Self::Open(_) => "open",
            Self::Hook(_) => "hook",
            Self::File { .. } => "file",
            Self::Bug(_) => "bug",
        }
    }

    /// An error about a field of the input.
    pub fn input(field: impl Into<String>, message: impl Into<String>) -> Self {
        Self::Input { field: field.into(), message: message.into() }
    }
}
