//! Writing HTML: everything that is not a literal of ours is escaped on the way in.

use crate::report::escape;
use crate::report::value::{Layout, Piece, PieceKind};
use serde_json::Value;

/// HTML being written.
#[derive(Default)]
pub(super) struct Html(String);

impl Html {
    pub(super) fn finish(self) -> String {
        self.0
    }

    /// Markup of our own.
    pub(super) fn raw(&mut self, markup: &str) {
        self.0.push_str(markup);
    }

    /// Text from anywhere.
    pub(super) fn text(&mut self, text: &str) {
        self.0.push_str(&escape::markup(text));
    }

    /// An opening tag; `tag` and `class` are literals of ours.
    pub(super) fn open(&mut self, tag: &str, class: &str) {
        if class.is_empty() {
            self.raw(&format!("<{tag}>"));
        } else {
            self.raw(&format!("<{tag} class=\"{class}\">"));
        }
    }

    pub(super) fn close(&mut self, tag: &str) {
        self.raw(&format!("</{tag}>\n"));
    }

    /// An element that holds only text.
    pub(super) fn element(&mut self, tag: &str, class: &str, text: &str) {
        self.open(tag, class);
        self.text(text);
        self.raw(&format!("</{tag}>"));
    }

    /// A folded part.
    pub(super) fn folded(&mut self, summary: &str, open: bool, body: impl FnOnce(&mut Self)) {
        self.raw(if open { "<details open>" } else { "<details>" });
        self.element("summary", "", summary);
        body(self);
        self.close("details");
    }

    /// Laid-out JSON, coloured; the class of a bound value comes from `lane`.
    pub(super) fn json(
        &mut self,
        value: &Value,
        layout: &Layout<'_>,
        lane: &dyn Fn(usize) -> String,
    ) {
        self.raw("<pre class=\"json\">");
        let mut bound = 0;
        for (index, line) in layout.render(value).iter().enumerate() {
            if index > 0 {
                self.raw("\n");
            }
            for piece in line {
                self.piece(piece, &mut bound, lane);
            }
        }
        self.raw("</pre>\n");
    }

    fn piece(&mut self, piece: &Piece, bound: &mut usize, lane: &dyn Fn(usize) -> String) {
        match piece.kind {
            PieceKind::Punctuation => self.text(&piece.text),
            PieceKind::Key => self.element("span", "key", &piece.text),
            PieceKind::Scalar => self.element("span", "scalar", &piece.text),
            PieceKind::Bound => {
                self.element("span", &format!("bound {}", lane(*bound)), &piece.text);
                *bound += 1;
            }
            PieceKind::Remark => self.element("span", "remark", &piece.text),
        }
    }
}

/// Text in which words between backticks are code.
pub(super) fn rich(page: &mut Html, text: &str) {
    let parts: Vec<&str> = text.split('`').collect();
    if parts.len().is_multiple_of(2) {
        page.text(text);
        return;
    }
    for (index, part) in parts.iter().enumerate() {
        match index % 2 {
            0 => page.text(part),
            _ => page.element("code", "", part),
        }
    }
}
