//! The page that the terminal report is written on: columns, colours, wrapping.

use crate::report::escape;
use crate::report::value::{Line, PieceKind};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// What a stretch of text means; decides its colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tone {
    Plain,
    Strong,
    Faint,
    Error,
    Warning,
    Good,
    Flow,
    Key,
}

impl Tone {
    const fn code(self) -> &'static str {
        match self {
            Self::Plain => "",
            Self::Strong => "1",
            Self::Faint => "2",
            Self::Error => "1;31",
            Self::Warning => "1;33",
            Self::Good => "1;32",
            Self::Flow => "36",
            Self::Key => "34",
        }
    }
}

/// A page of text. Everything written on it is made harmless for a terminal first.
pub(super) struct Page {
    pub(super) width: usize,
    pub(super) colour: bool,
    text: String,
}

impl Page {
    pub(super) fn new(width: usize, colour: bool) -> Self {
        Self { width: width.clamp(40, 160), colour, text: String::new() }
    }

    pub(super) fn finish(self) -> String {
        self.text
    }

    /// `text` in its colour; the text must be harmless already.
    pub(super) fn paint(&self, tone: Tone, text: &str) -> String {
        if self.colour && tone != Tone::Plain && !text.is_empty() {
            format!("\u{1b}[{}m{text}\u{1b}[0m", tone.code())
        } else {
            text.to_owned()
        }
    }

    /// A finished line.
    pub(super) fn line(&mut self, text: &str) {
        self.text.push_str(text.trim_end());
        self.text.push('\n');
    }

    pub(super) fn blank(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with("\n\n") {
            self.text.push('\n');
        }
    }

    /// A heading with a rule to the right edge: `── Coverage ─────`.
    pub(super) fn heading(&mut self, painted: &str, plain_width: usize) {
        self.blank();
        let rest = self.width.saturating_sub(plain_width + 4);
        let line = format!(
            "{} {painted} {}",
            self.paint(Tone::Faint, "──"),
            self.paint(Tone::Faint, &"─".repeat(rest))
        );
        self.line(&line);
        self.blank();
    }

    /// Wrapped text, indented.
    pub(super) fn paragraph(&mut self, indent: usize, tone: Tone, text: &str) {
        for line in wrap(text, self.width.saturating_sub(indent)) {
            let painted = self.paint(tone, &line);
            self.line(&format!("{}{painted}", " ".repeat(indent)));
        }
    }

    /// A label in its column with wrapped text beside it.
    pub(super) fn labelled(&mut self, label: &str, tone: Tone, text: &str) {
        const COLUMN: usize = 9;
        let mut lines = wrap(text, self.width.saturating_sub(2 + COLUMN)).into_iter();
        let label = self.paint(Tone::Faint, &format!("{label:<COLUMN$}"));
        let first = self.paint(tone, &lines.next().unwrap_or_default());
        self.line(&format!("  {label}{first}"));
        for line in lines {
            let line = self.paint(tone, &line);
            self.line(&format!("{}{line}", " ".repeat(2 + COLUMN)));
        }
    }

    /// As [`Page::labelled`] for text to copy: never wrapped.
    pub(super) fn labelled_verbatim(&mut self, label: &str, tone: Tone, text: &str) {
        let label = self.paint(Tone::Faint, &format!("{label:<9}"));
        let text = self.paint(tone, &escape::line(text));
        self.line(&format!("  {label}{text}"));
    }

    /// Lines of raw output behind a bar, cut at the right edge.
    pub(super) fn quoted<'t>(&mut self, indent: usize, lines: impl Iterator<Item = &'t str>) {
        let bar = self.paint(Tone::Faint, "│");
        for line in lines {
            let line = cut(&escape::line(line), self.width.saturating_sub(indent + 2));
            self.line(&format!("{}{bar} {line}", " ".repeat(indent)));
        }
    }

    /// Laid-out JSON after `prefix`, whose later lines start at `indent`.
    pub(super) fn json(&mut self, prefix: &str, indent: usize, lines: &[Line]) {
        for (index, line) in lines.iter().enumerate() {
            let body: String =
                line.iter().map(|piece| self.paint(tone_of(piece.kind), &piece.text)).collect();
            if index == 0 {
                self.line(&format!("{prefix}{body}"));
            } else {
                let plain: String = line.iter().map(|piece| piece.text.as_str()).collect();
                let guard = if is_command(&plain) { "\\" } else { "" };
                self.line(&format!("{}{guard}{body}", " ".repeat(indent)));
            }
        }
    }
}

const fn tone_of(kind: PieceKind) -> Tone {
    match kind {
        PieceKind::Punctuation | PieceKind::Scalar => Tone::Plain,
        PieceKind::Key => Tone::Key,
        PieceKind::Bound => Tone::Flow,
        PieceKind::Remark => Tone::Faint,
    }
}

/// Breaks text into lines of at most `width` columns, between words where it can. Line ends of the text stay.
pub(super) fn wrap(text: &str, width: usize) -> Vec<String> {
    let width = width.max(10);
    let clean = escape::block(text);
    let mut lines: Vec<String> = Vec::new();
    for paragraph in clean.trim_end().split('\n') {
        let mut line = String::new();
        let mut used = 0;
        for word in paragraph.split(' ').filter(|word| !word.is_empty()) {
            let columns = word.width();
            if used > 0 && used + 1 + columns > width {
                lines.push(std::mem::take(&mut line));
                used = 0;
            }
            if used > 0 {
                line.push(' ');
                used += 1;
            }
            for c in word.chars() {
                let columns = c.width().unwrap_or(0);
                if used + columns > width {
                    lines.push(std::mem::take(&mut line));
                    used = 0;
                }
                line.push(c);
                used += columns;
            }
        }
        lines.push(line);
    }
    lines.into_iter().map(defused).collect()
}

/// A line that a CI system would not take for a command of its own (`::error::`, `##[group]`).
pub(super) fn defused(line: String) -> String {
    if is_command(&line) { format!("\\{}", line.trim_start()) } else { line }
}

fn is_command(line: &str) -> bool {
    let start = line.trim_start();
    start.starts_with("::") || start.starts_with("##[")
}

/// Text cut to `width` columns, with an ellipsis where something was cut.
pub(super) fn cut(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let mut out = String::new();
    let mut used = 0;
    for c in text.chars() {
        used += c.width().unwrap_or(0);
        if used + 1 > width {
            break;
        }
        out.push(c);
    }
    out.push('…');
    out
}

/// Text cut or filled with spaces to exactly `width` columns.
pub(super) fn fit(text: &str, width: usize) -> String {
    let text = cut(&escape::line(text), width);
    let fill = width.saturating_sub(text.width());
    format!("{text}{}", " ".repeat(fill))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_wrap_and_long_ones_break() {
        assert_eq!(wrap("aaa bbb cccc", 10), ["aaa bbb", "cccc"]);
        assert_eq!(wrap("x".repeat(23).as_str(), 10), ["xxxxxxxxxx", "xxxxxxxxxx", "xxx"]);
        assert_eq!(wrap("日本語日本語", 10), ["日本語日本", "語"]);
        assert_eq!(wrap("a\n\nb", 10), ["a", "", "b"]);
        assert_eq!(wrap("a\n::error::b", 40), ["a", "\\::error::b"]);
    }

    #[test]
    fn cells_are_exactly_as_wide_as_asked() {
        for text in ["", "abc", "abcdefghijk", "日本語日本語", "\u{1b}[31m"] {
            assert_eq!(fit(text, 8).width(), 8, "{text:?}");
        }
    }
}
