//! Output in lines, in bounded memory: long lines are cut, no character is split, and after so many bytes nothing is kept.

use std::sync::atomic::{AtomicUsize, Ordering};

/// How many bytes of a script's output may still be kept, both streams together.
#[derive(Debug)]
pub(crate) struct Budget(AtomicUsize);

impl Budget {
    pub(crate) fn new(bytes: usize) -> Self {
        Self(AtomicUsize::new(bytes))
    }

    /// Takes up to `wanted` bytes and tells how many there were.
    fn take(&self, wanted: usize) -> usize {
        let spend = |left: usize| Some(left - wanted.min(left));
        match self.0.fetch_update(Ordering::SeqCst, Ordering::SeqCst, spend) {
            Ok(left) | Err(left) => wanted.min(left),
        }
    }
}

/// A line of output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Line {
    /// Its text without the line feed.
    pub(crate) text: String,
    /// Whether a line feed ended it.
    pub(crate) ended: bool,
}

/// Cuts a stream of bytes into lines.
#[derive(Debug)]
pub(crate) struct Lines<'a> {
    budget: &'a Budget,
    longest: usize,
    /// The line under way, at most `longest` bytes and a character.
    line: Vec<u8>,
    /// Whether bytes were dropped.
    truncated: bool,
}

/// The most bytes that a character has.
const CHARACTER: usize = 4;

impl<'a> Lines<'a> {
    pub(crate) fn new(longest: usize, budget: &'a Budget) -> Self {
        Self { budget, longest, line: Vec::new(), truncated: false }
    }

    /// Takes bytes in; gives the lines that they end.
    pub(crate) fn push(&mut self, mut bytes: &[u8]) -> Vec<Line> {
        let mut lines = Vec::new();
        while let Some(at) = bytes.iter().position(|byte| *byte == b'\n') {
            self.extend(&bytes[..at]);
            bytes = &bytes[at + 1..];
            lines.extend(self.emit(true));
        }
        self.extend(bytes);
        lines
    }

    /// The last line, where no line feed ended it.
    pub(crate) fn finish(&mut self) -> Option<Line> {
        if self.line.is_empty() { None } else { self.emit(false) }
    }

    /// Whether anything was cut or dropped.
    pub(crate) fn truncated(&self) -> bool {
        self.truncated
    }

    fn extend(&mut self, bytes: &[u8]) {
        let room = self.longest.saturating_add(CHARACTER).saturating_sub(self.line.len());
        self.line.extend_from_slice(&bytes[..room.min(bytes.len())]);
        self.truncated |= bytes.len() > room;
    }

    fn emit(&mut self, ended: bool) -> Option<Line> {
        let mut text = String::from_utf8_lossy(&self.line).into_owned();
        self.line.clear();
        let kept = floor(&text, self.longest);
        let wanted = kept + usize::from(ended);
        let granted = self.budget.take(wanted);
        let kept = floor(&text, kept.min(granted));
        self.truncated |= kept < text.len() || granted < wanted;
        text.truncate(kept);
        let ended = ended && granted == wanted;
        (kept > 0 || ended).then_some(Line { text, ended })
    }
}

/// The last place between characters at or before a byte.
pub(super) fn floor(text: &str, byte: usize) -> usize {
    (0..=byte.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines of `chunks`, what is left of the budget's text, and whether anything was cut.
    fn cut(chunks: &[&[u8]], longest: usize, budget: usize) -> (Vec<Line>, bool) {
        let budget = Budget::new(budget);
        let mut lines = Lines::new(longest, &budget);
        let mut all: Vec<Line> = chunks.iter().flat_map(|chunk| lines.push(chunk)).collect();
        all.extend(lines.finish());
        (all, lines.truncated())
    }

    fn line(text: &str, ended: bool) -> Line {
        Line { text: text.to_owned(), ended }
    }

    #[test]
    fn lines_come_whole_however_they_are_read() {
        let text = "one\n\nzwölf\r\nlast".as_bytes();
        let expected =
            [line("one", true), line("", true), line("zwölf\r", true), line("last", false)];
        for size in 1..=text.len() {
            let chunks: Vec<&[u8]> = text.chunks(size).collect();
            assert_eq!(cut(&chunks, 100, 100), (expected.to_vec(), false), "{size}");
        }
        assert_eq!(cut(&[], 10, 10), (vec![], false));
    }

    #[test]
    fn long_lines_are_cut_between_characters() {
        for (longest, kept) in [(1, ""), (2, "é"), (3, "é"), (4, "éé"), (5, "éé"), (6, "ééé")]
        {
            let (lines, truncated) = cut(&["ééé\nx\n".as_bytes()], longest, 100);
            assert_eq!(lines, [line(kept, true), line("x", true)], "{longest}");
            assert_eq!(truncated, longest < 6, "{longest}");
        }
        let (lines, truncated) = cut(&["😀".as_bytes()], 3, 100);
        assert_eq!((lines, truncated), (vec![], true));
    }

    #[test]
    fn bytes_that_are_no_text_are_marked_and_never_make_a_line_longer() {
        let (lines, truncated) = cut(&[&[0xff; 100]], 10, 100);
        assert_eq!((lines, truncated), (vec![line("\u{fffd}\u{fffd}\u{fffd}", false)], true));
        let (lines, truncated) = cut(&[b"a\xffb\n"], 10, 100);
        assert_eq!((lines, truncated), (vec![line("a\u{fffd}b", true)], false));
    }

    #[test]
    fn the_budget_covers_everything_that_is_kept() {
        for budget in 0..=8 {
            let (lines, truncated) = cut(&["abc\ndéf\n".as_bytes()], 100, budget);
            let kept: usize =
                lines.iter().map(|line| line.text.len() + usize::from(line.ended)).sum();
            assert!(kept <= budget, "{budget}: {lines:?}");
            assert!(truncated, "{budget}");
        }
        let (lines, truncated) = cut(&["abc\ndéf\n".as_bytes()], 100, 9);
        assert_eq!((lines.len(), truncated), (2, false));
    }

    #[test]
    fn a_flood_stays_within_a_lines_memory() {
        let budget = Budget::new(1000);
        let mut lines = Lines::new(100, &budget);
        for _ in 0..1000 {
            assert!(lines.push(&[b'x'; 8192]).is_empty());
            assert!(lines.line.len() <= 104 && lines.line.capacity() < 1000);
        }
        assert_eq!(lines.push(b"\n"), [line(&"x".repeat(100), true)]);
        assert!(lines.truncated());
    }
}
