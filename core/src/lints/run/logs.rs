//! Tools that show logs.

use crate::schema::{key_tokens, singular};

/// Whether a tool is named for what tells of errors: a log that is shown has them as its content.
pub(super) fn shows_errors(tool: &str) -> bool {
    const SHOWN: &[&str] =
        &["log", "error", "trace", "history", "journal", "event", "console", "output"];
    key_tokens(tool).iter().any(|word| SHOWN.contains(&singular(word).as_str()))
}
