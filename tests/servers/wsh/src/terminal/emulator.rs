//! The screen that a program's output draws, with its history.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use schemars::JsonSchema;
use serde::Serialize;

use super::lines::{Format, Line, line};

/// Terminal state: fed with output, read line by line.
pub(crate) struct Emulator {
    parser: vt100::Parser<Replies>,
    history: usize,
    generation: u64,
    last_activity: Instant,
    last_stir: Instant,
}

/// What the screen shows at one moment.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(crate) struct Screen {
    pub(crate) format: Format,
    pub(crate) rows: u16,
    pub(crate) cols: u16,
    pub(crate) cursor: Cursor,
    /// Whether a full-screen program has switched to the alternate screen
    pub(crate) alternate: bool,
    /// Number of bytes of output seen so far: equal numbers mean that nothing was printed in between
    pub(crate) generation: u64,
    /// From top to bottom
    pub(crate) lines: Vec<Line>,
}

/// Where the next character would be drawn, counted from 0.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub(crate) struct Cursor {
    row: u16,
    col: u16,
    visible: bool,
}

impl Emulator {
    /// An empty screen that keeps `history` lines that scrolled off.
    pub(crate) fn new(rows: u16, cols: u16, history: usize) -> Self {
        let parser = vt100::Parser::new_with_callbacks(rows, cols, history, Replies::default());
        let now = Instant::now();
        Self { parser, history, generation: 0, last_activity: now, last_stir: now }
    }

    /// Draws output and returns what the terminal answers to the program's questions.
    pub(crate) fn feed(&mut self, output: &[u8]) -> Vec<u8> {
        let parser = &mut self.parser;
        // The emulator library has assertions of its own about wide characters at the edge of a resized screen.
        if catch_unwind(AssertUnwindSafe(|| parser.process(output))).is_err() {
            let (rows, cols) = self.size();
            self.parser =
                vt100::Parser::new_with_callbacks(rows, cols, self.history, Replies::default());
        }
        self.generation += u64::try_from(output.len()).unwrap_or(u64::MAX);
        self.last_activity = Instant::now();
        std::mem::take(&mut self.parser.callbacks_mut().0)
    }

    /// Notes that the program got something to react to now.
    pub(crate) fn stir(&mut self) {
        self.last_activity = Instant::now();
        self.last_stir = self.last_activity;
    }

    /// When the program last got something to react to: its start, input, another size.
    pub(crate) fn last_stir(&self) -> Instant {
        self.last_stir
    }

    /// When output came or input went last.
    pub(crate) fn last_activity(&self) -> Instant {
        self.last_activity
    }

    /// Number of bytes of output so far.
    pub(crate) fn generation(&self) -> u64 {
        self.generation
    }

    /// Rows and columns.
    pub(crate) fn size(&self) -> (u16, u16) {
        self.parser.screen().size()
    }

    /// Changes the size. A screen that gets lower scrolls up, so that the line with the cursor stays.
    pub(crate) fn resize(&mut self, rows: u16, cols: u16) {
        let (old_rows, _) = self.size();
        let (row, col) = self.parser.screen().cursor_position();
        let hidden = (row + 1).saturating_sub(rows);
        if hidden > 0 && !self.parser.screen().alternate_screen() {
            let line_feeds = "\n".repeat(usize::from(hidden));
            let scroll = format!(
                "\x1b[r\x1b[{old_rows};1H{line_feeds}\x1b[{};{}H",
                row + 1 - hidden,
                col + 1
            );
            self.parser.process(scroll.as_bytes());
        }
        self.parser.screen_mut().set_size(rows, cols);
    }

    /// What is on the screen now.
    pub(crate) fn screen(&self, format: Format) -> Screen {
        let screen = self.parser.screen();
        let (rows, cols) = screen.size();
        let (row, col) = screen.cursor_position();
        Screen {
            format,
            rows,
            cols,
            cursor: Cursor { row, col: col.min(cols - 1), visible: !screen.hide_cursor() },
            alternate: screen.alternate_screen(),
            generation: self.generation,
            lines: (0..rows).map(|row| line(screen, row, format)).collect(),
        }
    }

    /// Everything printed so far that is still kept, oldest line first: history, then the screen down to its last
    /// line in use. Returns at most `limit` lines from `offset`, and how many there are.
    pub(crate) fn scrollback(
        &mut self,
        offset: usize,
        limit: usize,
        format: Format,
    ) -> (Vec<Line>, usize) {
        let screen = self.parser.screen_mut();
        screen.set_scrollback(usize::MAX);
        let history = screen.scrollback();
        screen.set_scrollback(0);
        let total = history + used_rows(screen);
        let end = total.min(offset.saturating_add(limit));
        let mut lines = Vec::new();
        for index in offset..end {
            // The view starts `above` lines before the screen's first; below history the row itself moves.
            let above = history.saturating_sub(index);
            screen.set_scrollback(above);
            let row = u16::try_from(index + above - history).unwrap_or(0);
            lines.push(line(screen, row, format));
        }
        screen.set_scrollback(0);
        (lines, total)
    }
}

/// Number of rows down to the cursor or the last line with text, whichever is lower.
fn used_rows(screen: &vt100::Screen) -> usize {
    let (rows, _) = screen.size();
    let blank = |row: &u16| matches!(line(screen, *row, Format::Plain), Line::Plain(text) if text.is_empty());
    let text = (0..rows).rev().find(|row| !blank(row)).map_or(0, |row| row + 1);
    let (row, col) = screen.cursor_position();
    let cursor = if col > 0 { row + 1 } else { row };
    usize::from(text.max(cursor))
}

/// Answers to the questions programs ask a terminal: where the cursor is, and what kind of terminal this is.
#[derive(Default)]
struct Replies(Vec<u8>);

impl vt100::Callbacks for Replies {
    fn unhandled_csi(
        &mut self,
        screen: &mut vt100::Screen,
        intermediate: Option<u8>,
        _: Option<u8>,
        params: &[&[u16]],
        command: char,
    ) {
        let first = params.first().and_then(|param| param.first()).copied().unwrap_or(0);
        match (intermediate, command, first) {
            (None, 'n', 5) => self.0.extend_from_slice(b"\x1b[0n"),
            (None, 'n', 6) => {
                let (row, col) = screen.cursor_position();
                self.0.extend_from_slice(format!("\x1b[{};{}R", row + 1, col + 1).as_bytes());
            }
            (None, 'c', 0) => self.0.extend_from_slice(b"\x1b[?6c"),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(lines: Vec<Line>) -> Vec<String> {
        let text = |line| match line {
            Line::Plain(text) => text,
            Line::Styled(_) => unreachable!("asked for plain lines"),
        };
        lines.into_iter().map(text).collect()
    }

    fn numbered(rows: u16, lines: usize) -> Emulator {
        let mut emulator = Emulator::new(rows, 20, 1000);
        let text: Vec<String> = (0..lines).map(|n| format!("line {n}")).collect();
        emulator.feed(text.join("\r\n").as_bytes());
        emulator
    }

    #[test]
    fn pages_of_scrollback_join_to_the_whole() {
        for (rows, count) in [(3, 2), (3, 3), (3, 10), (24, 100)] {
            let mut emulator = numbered(rows, count);
            let whole = plain(emulator.scrollback(0, 1000, Format::Plain).0);
            let expected: Vec<String> = (0..count).map(|n| format!("line {n}")).collect();
            assert_eq!(whole, expected);
            for limit in 1..=count {
                let mut pages = Vec::new();
                for offset in (0..count).step_by(limit) {
                    let (lines, total) = emulator.scrollback(offset, limit, Format::Plain);
                    assert_eq!(total, count);
                    pages.extend(plain(lines));
                }
                assert_eq!(pages, expected, "rows {rows}, limit {limit}");
            }
        }
    }

    #[test]
    fn reading_scrollback_leaves_the_screen_alone() {
        let mut emulator = numbered(3, 10);
        let before = plain(emulator.screen(Format::Plain).lines);
        emulator.scrollback(0, 5, Format::Plain);
        assert_eq!(plain(emulator.screen(Format::Plain).lines), before);
    }

    #[test]
    fn a_lower_screen_keeps_the_line_with_the_cursor() {
        let mut emulator = numbered(5, 5);
        emulator.resize(2, 20);
        assert_eq!(plain(emulator.screen(Format::Plain).lines), ["line 3", "line 4"]);
        assert_eq!(emulator.screen(Format::Plain).cursor.row, 1);
        assert_eq!(emulator.scrollback(0, 99, Format::Plain).1, 5);
    }

    #[test]
    fn questions_of_programs_are_answered() {
        let mut emulator = Emulator::new(5, 20, 0);
        assert_eq!(emulator.feed(b"ab\x1b[6n"), b"\x1b[1;3R");
        assert_eq!(emulator.feed(b"\x1b[5n\x1b[c"), b"\x1b[0n\x1b[?6c");
        assert_eq!(emulator.feed(b"plain"), b"");
    }

    #[test]
    fn odd_output_on_small_screens_does_not_panic() {
        let pieces = [
            "漢",
            "\x1b[5;9H",
            "a",
            "\r\n",
            "\x1b[2K",
            "\x1b[3P",
            "\x1b[4@",
            "🦀\u{301}",
            "\t",
            "\x1b[?1049h",
        ];
        for seed in 0_usize..400 {
            let mut emulator = Emulator::new(2 + u16::try_from(seed % 3).unwrap(), 2, 10);
            for step in 0..20 {
                let piece = pieces[(seed * 7 + step * step * 3 + seed / 5) % pieces.len()];
                emulator.feed(piece.as_bytes());
                emulator.resize(
                    1 + u16::try_from((seed + step) % 4).unwrap(),
                    2 + u16::try_from(step % 3).unwrap(),
                );
                emulator.screen(Format::Styled);
                emulator.scrollback(0, 50, Format::Plain);
            }
        }
    }
}
