//! Reading the screen and what scrolled off it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::app::App;
use crate::failure::Failure;
use crate::terminal::{Format, Line, Screen};
use crate::value::Whole;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct GetScreen {
    session: String,
    #[serde(default)]
    format: Format,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(crate) struct ScreenResult {
    pub(crate) session: String,
    #[serde(flatten)]
    pub(crate) screen: Screen,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct GetScrollback {
    session: String,
    /// Number of lines to skip, counted from the oldest
    #[serde(default = "no_offset")]
    offset: Whole<0, 1_000_000>,
    /// Most lines to return
    #[serde(default = "hundred")]
    limit: Whole<1, 1000>,
    #[serde(default)]
    format: Format,
}

fn no_offset() -> Whole<0, 1_000_000> {
    Whole::clamped(0)
}

fn hundred() -> Whole<1, 1000> {
    Whole::clamped(100)
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub(crate) struct Scrollback {
    session: String,
    format: Format,
    offset: u32,
    /// Number of lines there are: those that scrolled off, and the screen down to its last line in use
    total: usize,
    /// Where the next page starts; absent on the last page
    #[serde(skip_serializing_if = "Option::is_none")]
    next_offset: Option<usize>,
    /// Oldest line first
    lines: Vec<Line>,
}

/// Reads the screen of a session's program.
pub(crate) async fn get_screen(app: &App, params: GetScreen) -> Result<ScreenResult, Failure> {
    let session = app.sessions.find(&params.session)?;
    session.settle().await;
    let screen = session.emulator().screen(params.format);
    Ok(ScreenResult { session: params.session, screen })
}

/// Reads a page of everything the program has printed.
pub(crate) async fn get_scrollback(
    app: &App,
    params: GetScrollback,
) -> Result<Scrollback, Failure> {
    let session = app.sessions.find(&params.session)?;
    session.settle().await;
    let offset = usize::try_from(params.offset.get()).unwrap_or(usize::MAX);
    let limit = usize::from(params.limit.cells());
    let (lines, total) = session.emulator().scrollback(offset, limit, params.format);
    let end = offset + lines.len();
    Ok(Scrollback {
        session: params.session,
        format: params.format,
        offset: params.offset.get(),
        total,
        next_offset: (end < total && !lines.is_empty()).then_some(end),
        lines,
    })
}
