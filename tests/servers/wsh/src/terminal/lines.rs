//! Lines of a terminal, as plain text or as styled spans.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How lines are returned.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub(crate) enum Format {
    Styled,
    #[default]
    Plain,
}

/// One line: a string in plain format, a list of spans in styled format. Blanks at its end are left out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum Line {
    Plain(String),
    Styled(Vec<Run>),
}

/// Characters of one style.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub(crate) struct Run {
    text: String,
    /// Colour of the characters: a number of the 256 colour palette or #rrggbb; absent for the default
    #[serde(skip_serializing_if = "Option::is_none")]
    fg: Option<String>,
    /// Colour behind the characters, in the same notation
    #[serde(skip_serializing_if = "Option::is_none")]
    bg: Option<String>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    bold: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    italic: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    underline: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    inverse: bool,
}

impl Run {
    fn same_style(&self, other: &Self) -> bool {
        Self { text: String::new(), ..self.clone() }
            == Self { text: String::new(), ..other.clone() }
    }

    fn is_unstyled(&self) -> bool {
        self.same_style(&Self::default())
    }

    fn of_cell(cell: &vt100::Cell) -> Self {
        Self {
            text: if cell.has_contents() { cell.contents().to_owned() } else { " ".to_owned() },
            fg: color(cell.fgcolor()),
            bg: color(cell.bgcolor()),
            bold: cell.bold(),
            italic: cell.italic(),
            underline: cell.underline(),
            inverse: cell.inverse(),
        }
    }
}

/// Row `row` of what the screen shows now.
pub(crate) fn line(screen: &vt100::Screen, row: u16, format: Format) -> Line {
    let runs = runs(screen, row);
    match format {
        Format::Styled => Line::Styled(runs),
        Format::Plain => {
            let text: String = runs.iter().map(|run| run.text.as_str()).collect();
            Line::Plain(text.trim_end_matches(' ').to_owned())
        }
    }
}

/// The row's cells, joined where their style is the same, without blank unstyled cells at the end.
fn runs(screen: &vt100::Screen, row: u16) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    let cells = (0..screen.size().1).filter_map(|column| screen.cell(row, column));
    for cell in cells.filter(|cell| !cell.is_wide_continuation()) {
        let next = Run::of_cell(cell);
        match runs.last_mut() {
            Some(last) if last.same_style(&next) => last.text.push_str(&next.text),
            _ => runs.push(next),
        }
    }
    if let Some(last) = runs.last_mut().filter(|last| last.is_unstyled()) {
        last.text.truncate(last.text.trim_end_matches(' ').len());
        if last.text.is_empty() {
            runs.pop();
        }
    }
    runs
}

fn color(color: vt100::Color) -> Option<String> {
    match color {
        vt100::Color::Default => None,
        vt100::Color::Idx(index) => Some(index.to_string()),
        vt100::Color::Rgb(r, g, b) => Some(format!("#{r:02x}{g:02x}{b:02x}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first_line(bytes: &[u8], format: Format) -> serde_json::Value {
        let mut parser = vt100::Parser::new(2, 20, 0);
        parser.process(bytes);
        serde_json::to_value(line(parser.screen(), 0, format)).unwrap()
    }

    #[test]
    fn plain_lines_lose_blanks_at_their_end_only() {
        assert_eq!(first_line(b"  a  b   ", Format::Plain), "  a  b");
        assert_eq!(first_line(b"", Format::Plain), "");
    }

    #[test]
    fn wide_characters_count_once() {
        assert_eq!(first_line("漢字🦀é".as_bytes(), Format::Plain), "漢字🦀é");
    }

    #[test]
    fn styled_lines_change_span_where_the_style_changes() {
        assert_eq!(
            first_line(b"a\x1b[1;31mred\x1b[0m b\x1b[48;2;1;2;3m \x1b[0m", Format::Styled),
            serde_json::json!([
                {"text": "a"},
                {"text": "red", "fg": "1", "bold": true},
                {"text": " b"},
                {"text": " ", "bg": "#010203"},
            ])
        );
        assert_eq!(first_line(b"", Format::Styled), serde_json::json!([]));
    }
}
