//! A saved failure as something else that shows it: messages, a script, a test.

mod curl;
mod messages;
mod tests;

use crate::failure::Failure;
use crate::suggest::did_you_mean;
use std::str::FromStr;

/// What a failure is exported as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Export {
    /// JSON-RPC messages, one a line, with the literal values of the run that failed.
    Jsonl,
    /// A shell script with `curl` and `jq`; only for HTTP servers.
    Curl,
    /// A test for pytest.
    Pytest,
    /// A test for Vitest.
    Vitest,
    /// A test for Rust's own harness.
    Rust,
}

/// Why a failure cannot be exported so.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ExportError {
    /// The name is no export's.
    #[error("`{name}` is nothing to export to: {}known are {}", suggestion.as_ref().map(|s| format!("{s} ")).unwrap_or_default(), Export::ALL.map(Export::name).join(", "))]
    Unknown {
        /// The name as given.
        name: String,
        /// What may have been meant.
        suggestion: Option<String>,
    },
    /// The target does not fit.
    #[error(
        "curl can only reach HTTP servers, and this failure is of one on {0}; `jsonl` gives messages to pipe into it"
    )]
    NeedsHttp(String),
}

impl Export {
    /// All exports.
    pub const ALL: [Self; 5] = [Self::Jsonl, Self::Curl, Self::Pytest, Self::Vitest, Self::Rust];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Jsonl => "jsonl",
            Self::Curl => "curl",
            Self::Pytest => "pytest",
            Self::Vitest => "vitest",
            Self::Rust => "rust",
        }
    }

    /// Renders a failure.
    pub fn render(self, failure: &Failure) -> Result<String, ExportError> {
        match self {
            Self::Jsonl => Ok(messages::render(failure)),
            Self::Curl => curl::render(failure),
            Self::Pytest => Ok(tests::pytest(failure)),
            Self::Vitest => Ok(tests::vitest(failure)),
            Self::Rust => Ok(tests::rust(failure)),
        }
    }
}

impl FromStr for Export {
    type Err = ExportError;

    fn from_str(name: &str) -> Result<Self, ExportError> {
        Self::ALL.into_iter().find(|export| export.name() == name).ok_or_else(|| {
            ExportError::Unknown {
                name: name.to_owned(),
                suggestion: did_you_mean(name, Self::ALL.map(Self::name)),
            }
        })
    }
}

/// The failure's message on one line, harmless in a comment.
fn comment(failure: &Failure) -> String {
    let tool = failure.tool.as_deref().map(|tool| format!(" {tool}")).unwrap_or_default();
    let text = format!("{}{tool}: {}", failure.lint, failure.message);
    crate::report::printable(&text).replace('\n', " ").replace("*/", "* /")
}
