//! The terminal as a viewer sees it: the program's screen between its panels, with the overlays on top.

use super::elements::{Overlay, Panel, Position, Span};
use super::live::Session;
use crate::terminal::{Format, Line};

impl Session {
    /// All rows of the terminal as plain text, panels and overlays drawn in.
    pub(crate) fn composed(&self) -> Vec<String> {
        let width = usize::from(self.emulator().size().1);
        let program = self.emulator().screen(Format::Plain).lines;
        let mut elements = self.elements();
        let (mut panels, mut overlays) = (elements.shown::<Panel>(), elements.shown::<Overlay>());
        drop(elements);
        panels.sort_by_key(|panel| (panel.z, panel.id));
        overlays.sort_by_key(|overlay| (overlay.z, overlay.id));

        let at = |position| panels.iter().filter(move |panel| panel.position == position);
        let top = at(Position::Top).flat_map(|panel| block(&panel.spans, panel.height, width));
        let bottom =
            at(Position::Bottom).rev().flat_map(|panel| block(&panel.spans, panel.height, width));
        let middle = program.into_iter().map(|line| match line {
            Line::Plain(text) => fit(&text, width),
            Line::Styled(_) => Vec::new(),
        });
        let mut rows: Vec<Vec<char>> = top.chain(middle).chain(bottom).collect();
        for overlay in &overlays {
            draw(&mut rows, overlay);
        }
        rows.into_iter()
            .map(|row| row.into_iter().collect::<String>().trim_end().to_owned())
            .collect()
    }
}

/// The text of spans as `height` rows of `width` characters.
fn block(spans: &[Span], height: u16, width: usize) -> Vec<Vec<char>> {
    let text: String = spans.iter().map(|span| span.text.as_str()).collect();
    let mut rows: Vec<Vec<char>> = text.lines().map(|line| fit(line, width)).collect();
    rows.resize(usize::from(height), fit("", width));
    rows
}

fn fit(text: &str, width: usize) -> Vec<char> {
    let mut row: Vec<char> = text.chars().take(width).collect();
    row.resize(width, ' ');
    row
}

fn draw(rows: &mut [Vec<char>], overlay: &Overlay) {
    let lines = block(&overlay.spans, overlay.height, usize::from(overlay.width));
    let visible = rows.iter_mut().skip(usize::from(overlay.y));
    for (row, line) in visible.zip(lines) {
        for (cell, character) in row.iter_mut().skip(usize::from(overlay.x)).zip(line) {
            *cell = character;
        }
    }
}
