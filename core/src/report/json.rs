//! The result itself, as JSON.

use crate::result::RunResult;

/// Renders the result as indented JSON with a final newline. Hidden characters outside of ASCII are escaped, so that the
/// document can be shown in a terminal.
pub fn render(result: &RunResult) -> String {
    let text = serde_json::to_string_pretty(result).expect("a result has only string keys");
    let mut out = super::escape::json(&text);
    out.push('\n');
    out
}
