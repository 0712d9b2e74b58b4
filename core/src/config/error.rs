//! What can be wrong with a `tooltest.toml`.

/// A fault in a configuration file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{path}{}: {message}{}", line.map(|l| format!(":{l}")).unwrap_or_default(), suggestion.as_ref().map(|s| format!("; {s}")).unwrap_or_default())]
pub struct ConfigError {
    /// The file.
    pub path: String,
    /// The line, from 1, where it is known.
    pub line: Option<usize>,
    /// What is wrong.
    pub message: String,
    /// What would be right.
    pub suggestion: Option<String>,
}
