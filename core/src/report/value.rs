//! JSON laid out for people: on one line where it fits, broken where not, long strings cut, borrowed values marked.

use super::escape;
use crate::case::Binding;
use crate::pointer;
use serde_json::Value;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// A stretch of a laid-out line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Piece {
    /// The text, harmless for a terminal (see [`escape::line`]) but not yet escaped for markup.
    pub(super) text: String,
    /// What it is.
    pub(super) kind: PieceKind,
}

/// What a stretch of text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PieceKind {
    /// Brackets, commas, spaces.
    Punctuation,
    /// A member's name.
    Key,
    /// A string, number, boolean or null.
    Scalar,
    /// A scalar or structure taken from an earlier answer.
    Bound,
    /// A remark that is not part of the JSON: `← step 1`, `… 3 more lines`.
    Remark,
}

/// A line of pieces.
pub(super) type Line = Vec<Piece>;

/// How JSON is laid out.
#[derive(Debug, Clone, Copy)]
pub(super) struct Layout<'a> {
    /// Columns of the first line.
    pub(super) first: usize,
    /// Columns of the lines after it.
    pub(super) width: usize,
    /// The most lines; the rest is counted.
    pub(super) lines: usize,
    /// The most characters of a string; the rest is counted.
    pub(super) string: usize,
    /// Whether a string wider than the line goes on below; otherwise the line is as long as it needs to be.
    pub(super) wrap: bool,
    /// Values taken from earlier answers.
    pub(super) bindings: &'a [Binding],
}

impl Layout<'_> {
    /// Lays `value` out.
    pub(super) fn render(&self, value: &Value) -> Vec<Line> {
        let mut writer =
            Writer { layout: self, lines: vec![Vec::new()], column: 0, path: String::new() };
        writer.write(value, 0, 0);
        let mut lines = writer.lines;
        if lines.len() > self.lines.max(1) {
            let rest = lines.len() - self.lines.max(1);
            lines.truncate(self.lines.max(1));
            lines.push(vec![Piece {
                text: format!("… and {}", super::words::count_len(rest, "more line")),
                kind: PieceKind::Remark,
            }]);
        }
        lines
    }

    /// Lays `value` out as text, its later lines indented.
    pub(super) fn text(&self, value: &Value, indent: usize) -> String {
        let lines = self
            .render(value)
            .into_iter()
            .map(|line| line.into_iter().map(|piece| piece.text).collect());
        let lines: Vec<String> = lines.collect();
        lines.join(&format!("\n{}", " ".repeat(indent)))
    }

    fn remark(&self, path: &str) -> Option<String> {
        let binding = self.bindings.iter().find(|binding| binding.at == path)?;
        Some(format!(" ← step {}", binding.step + 1))
    }

    fn scalar(&self, value: &Value) -> (String, Option<String>) {
        let Value::String(text) = value else {
            return (escape::line(&value.to_string()).into_owned(), None);
        };
        let quoted = |text: &str| escape::line(&Value::from(text).to_string()).into_owned();
        match text.char_indices().nth(self.string) {
            None => (quoted(text), None),
            Some((at, _)) => {
                let all = super::words::count_len(text.chars().count(), "character");
                let mut cut = quoted(&text[..at]);
                cut.insert(cut.len() - 1, '…');
                (cut, Some(format!(" ({all})")))
            }
        }
    }
}

struct Writer<'a> {
    layout: &'a Layout<'a>,
    lines: Vec<Line>,
    column: usize,
    path: String,
}

impl Writer<'_> {
    /// Writes a value of which `tail` columns must follow on its last line.
    fn write(&mut self, value: &Value, indent: usize, tail: usize) {
        let start = self.column;
        let room = if self.lines.len() == 1 { self.layout.first } else { self.layout.width };
        let mut inline = Vec::new();
        let fits = one_line(
            self.layout,
            value,
            &mut self.path,
            room.saturating_sub(start + tail),
            &mut inline,
        );
        if fits.is_some() || !is_breakable(value) {
            if fits.is_none() {
                inline.clear();
                one_line(self.layout, value, &mut self.path, usize::MAX, &mut inline);
            }
            for piece in inline {
                self.put_wrapped(&piece.text, piece.kind, indent + 2);
            }
            return;
        }
        self.broken(value, indent);
    }

    fn broken(&mut self, value: &Value, indent: usize) {
        let (open, close) = if value.is_object() { ("{", "}") } else { ("[", "]") };
        self.put(open.to_owned(), PieceKind::Punctuation);
        let members: Vec<(String, bool, &Value)> = match value {
            Value::Object(map) => map.iter().map(|(k, v)| (k.clone(), true, v)).collect(),
            Value::Array(list) => {
                list.iter().enumerate().map(|(i, v)| (i.to_string(), false, v)).collect()
            }
            _ => Vec::new(),
        };
        let last = members.len().saturating_sub(1);
        for (index, (key, named, member)) in members.iter().enumerate() {
            self.new_line(indent + 2);
            if *named {
                self.put(
                    escape::line(&Value::from(key.as_str()).to_string()).into_owned(),
                    PieceKind::Key,
                );
                self.put(": ".to_owned(), PieceKind::Punctuation);
            }
            let length = pointer::push(&mut self.path, key);
            self.write(member, indent + 2, 1);
            self.path.truncate(length);
            if index < last {
                self.put(",".to_owned(), PieceKind::Punctuation);
            }
        }
        self.new_line(indent);
        self.put(close.to_owned(), PieceKind::Punctuation);
        if let Some(remark) = self.layout.remark(&self.path) {
            self.put(remark, PieceKind::Remark);
        }
    }

    fn put(&mut self, text: String, kind: PieceKind) {
        self.column += text.width();
        if let Some(line) = self.lines.last_mut() {
            line.push(Piece { text, kind });
        }
    }

    /// Writes text that may be wider than the line, going on below, indented.
    fn put_wrapped(&mut self, text: &str, kind: PieceKind, indent: usize) {
        let mut part = String::new();
        let mut used = self.column;
        for c in text.chars() {
            let room = if self.lines.len() == 1 { self.layout.first } else { self.layout.width };
            let columns = c.width().unwrap_or(0);
            if self.layout.wrap && used + columns > room && used > indent {
                self.put(std::mem::take(&mut part), kind);
                self.new_line(indent);
                used = indent;
            }
            part.push(c);
            used += columns;
        }
        self.put(part, kind);
    }

    fn new_line(&mut self, indent: usize) {
        self.lines.push(Vec::new());
        self.column = 0;
        self.put(" ".repeat(indent), PieceKind::Punctuation);
    }
}

fn is_breakable(value: &Value) -> bool {
    match value {
        Value::Object(map) => !map.is_empty(),
        Value::Array(list) => !list.is_empty(),
        _ => false,
    }
}

/// Writes a value on one line; `None` where it takes more than `room` columns. Returns the columns left.
fn one_line(
    layout: &Layout<'_>,
    value: &Value,
    path: &mut String,
    room: usize,
    out: &mut Line,
) -> Option<usize> {
    let remark = layout.remark(path);
    let kind = if remark.is_some() { PieceKind::Bound } else { PieceKind::Scalar };
    let mut left = match value {
        Value::Object(map) => {
            let mut left = push(out, "{", PieceKind::Punctuation, room)?;
            for (index, (key, member)) in map.iter().enumerate() {
                if index > 0 {
                    left = push(out, ", ", PieceKind::Punctuation, left)?;
                }
                left = push(
                    out,
                    &escape::line(&Value::from(key.as_str()).to_string()),
                    PieceKind::Key,
                    left,
                )?;
                left = push(out, ": ", PieceKind::Punctuation, left)?;
                left = member_line(layout, key, member, path, left, out)?;
            }
            push(out, "}", PieceKind::Punctuation, left)?
        }
        Value::Array(list) => {
            let mut left = push(out, "[", PieceKind::Punctuation, room)?;
            for (index, item) in list.iter().enumerate() {
                if index > 0 {
                    left = push(out, ", ", PieceKind::Punctuation, left)?;
                }
                left = member_line(layout, &index.to_string(), item, path, left, out)?;
            }
            push(out, "]", PieceKind::Punctuation, left)?
        }
        scalar => {
            let (text, cut) = layout.scalar(scalar);
            let left = push(out, &text, kind, room)?;
            match cut {
                Some(cut) => push(out, &cut, PieceKind::Remark, left)?,
                None => left,
            }
        }
    };
    if let Some(remark) = remark {
        left = push(out, &remark, PieceKind::Remark, left)?;
    }
    Some(left)
}

fn member_line(
    layout: &Layout<'_>,
    key: &str,
    value: &Value,
    path: &mut String,
    room: usize,
    out: &mut Line,
) -> Option<usize> {
    let length = pointer::push(path, key);
    let left = one_line(layout, value, path, room, out);
    path.truncate(length);
    left
}

fn push(out: &mut Line, text: &str, kind: PieceKind, room: usize) -> Option<usize> {
    let left = room.checked_sub(text.width())?;
    out.push(Piece { text: text.to_owned(), kind });
    Some(left)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::Source;
    use serde_json::json;

    fn plain(layout: &Layout<'_>, value: &Value) -> Vec<String> {
        let lines = layout.render(value);
        lines.iter().map(|line| line.iter().map(|piece| piece.text.as_str()).collect()).collect()
    }

    const WIDE: Layout<'_> =
        Layout { first: 40, width: 40, lines: 9, string: 20, wrap: true, bindings: &[] };

    #[test]
    fn what_fits_stays_on_one_line() {
        assert_eq!(
            plain(&WIDE, &json!({"a": [1, null], "b": "x"})),
            [r#"{"a": [1, null], "b": "x"}"#]
        );
        assert_eq!(plain(&WIDE, &json!({})), ["{}"]);
    }

    #[test]
    fn what_does_not_fit_is_broken_at_the_outermost_level() {
        let value = json!({"first": [1, 2, 3], "second": {"k": "v", "l": "w"}});
        let expected =
            ["{", r#"  "first": [1, 2, 3],"#, r#"  "second": {"k": "v", "l": "w"}"#, "}"];
        assert_eq!(plain(&WIDE, &value), expected);
    }

    #[test]
    fn long_strings_and_long_documents_are_cut_and_counted() {
        assert_eq!(
            plain(&WIDE, &json!("x".repeat(50))),
            ["\"xxxxxxxxxxxxxxxxxxxx…\" (50 characters)"]
        );
        let lines = plain(&WIDE, &json!(vec!["y".repeat(19); 20]));
        assert_eq!((lines.len(), lines[9].as_str()), (10, "… and 13 more lines"));
    }

    #[test]
    fn a_string_wider_than_the_line_goes_on_below() {
        let lines = plain(&Layout { string: 99, ..WIDE }, &json!({"k": "z".repeat(50)}));
        let first = format!("  \"k\": \"{}", "z".repeat(32));
        assert_eq!(lines, ["{", &first, &format!("    {}\"", "z".repeat(18)), "}"]);
    }

    #[test]
    fn borrowed_values_name_their_step() {
        let from = Source::Result { pointer: "/x".to_owned() };
        let bindings = [Binding { at: "/a~1b/0".to_owned(), step: 2, from }];
        let layout = Layout { bindings: &bindings, ..WIDE };
        assert_eq!(plain(&layout, &json!({"a/b": ["v"]})), [r#"{"a/b": ["v" ← step 3]}"#]);
    }

    #[test]
    fn control_characters_are_shown_not_sent() {
        assert_eq!(
            plain(&WIDE, &json!({"\u{1b}": "\u{7f}\u{9b}"})),
            [r#"{"\u001b": "\u007f\u009b"}"#]
        );
    }
}
