//! Changes as text for a terminal.

use super::{Change, Impact};
use crate::report::printable;
use std::fmt::Write as _;

/// Renders changes, breaking ones first, by subject.
pub fn render(changes: &[Change], colour: bool) -> String {
    let mut out = String::new();
    let paint = |code: &str, text: &str| {
        if colour { format!("\u{1b}[{code}m{text}\u{1b}[0m") } else { text.to_owned() }
    };
    for (impact, title, code) in
        [(Impact::Breaking, "Breaking", "1;31"), (Impact::Compatible, "Compatible", "1;32")]
    {
        let mut subject = "";
        let of_impact = changes.iter().filter(|change| change.impact == impact);
        for (index, change) in of_impact.enumerate() {
            if index == 0 {
                let _ = writeln!(out, "{}", paint(code, title));
            }
            if change.subject != subject {
                subject = &change.subject;
                let _ = writeln!(out, "  {}", paint("1", &line(subject)));
            }
            let place = if change.pointer.is_empty() {
                String::new()
            } else {
                paint("2", &format!("  {}", line(&change.pointer)))
            };
            let _ = writeln!(out, "    {}{place}", line(&change.message));
        }
    }
    let breaking = changes.iter().filter(|change| change.impact == Impact::Breaking).count();
    let _ = match (changes.len(), breaking) {
        (0, _) => writeln!(out, "no changes"),
        (all, 0) => writeln!(out, "{all} changes, none of them breaking"),
        (all, breaking) => writeln!(out, "{all} changes, {breaking} of them breaking"),
    };
    out
}

fn line(text: &str) -> String {
    printable(text).replace('\n', "\\n")
}
