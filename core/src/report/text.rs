//! A finding as plain text, for formats that hold it as a block.

use super::human::{self, HumanOptions};
use super::words;
use crate::finding::Finding;

/// The finding as in the terminal report, without its heading's rule and without colours.
pub(super) fn finding(finding: &Finding) -> String {
    human::finding_text(finding, &HumanOptions { width: 100, ..HumanOptions::default() })
}

/// As [`finding`], under its title.
pub(super) fn headed(of: &Finding) -> String {
    format!("{}\n{}", title(of), finding(of))
}

/// The title of a finding: `no_crash: read_note`.
pub(super) fn title(finding: &Finding) -> String {
    match (&finding.tool, finding.also.len()) {
        (Some(tool), 0) => format!("{}: {tool}", finding.lint),
        (Some(tool), n) => {
            format!("{}: {tool} and {}", finding.lint, words::count_len(n, "other tool"))
        }
        (None, _) => finding.lint.clone(),
    }
}
