//! Overlays: boxes with text over the screen.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::app::App;
use crate::failure::Failure;
use crate::session::{ElementId, Elements, Kind, Overlay, Span};
use crate::value::{Color, Whole};

type Cell = Whole<0, 999>;
type Extent = Whole<1, 500>;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct OverlayParams {
    session: String,
    /// The overlay to change; without it one is made
    id: Option<String>,
    /// Column of its left edge, from 0
    x: Option<Cell>,
    /// Row of its upper edge, from 0
    y: Option<Cell>,
    /// Higher ones cover lower ones
    z: Option<Cell>,
    /// Columns; as wide as its text if absent
    width: Option<Extent>,
    /// Rows; as high as its text if absent
    height: Option<Extent>,
    background: Option<Color>,
    spans: Option<Vec<Span>>,
    /// List what is there instead of drawing; goes with id at most
    #[serde(default)]
    list: bool,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub(crate) struct OverlayAnswer {
    session: String,
    /// The overlay made or changed; absent when listing
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<ElementId>,
    /// The one made or changed, or those listed
    overlays: Vec<Overlay>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RemoveElement {
    pub(super) session: String,
    /// The one to remove; without it all that show now
    pub(super) id: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub(crate) struct Removed {
    pub(super) session: String,
    /// Ids of those removed
    pub(super) removed: Vec<ElementId>,
}

/// Makes, changes or lists overlays.
pub(crate) fn overlay(app: &App, params: OverlayParams) -> Result<OverlayAnswer, Failure> {
    let session = app.sessions.find(&params.session)?;
    let mut elements = session.elements();
    let found = params.id.as_deref().map(|id| elements.find::<Overlay>(id)).transpose()?;
    if params.list {
        if params.draws() {
            return Err(Failure::Invalid("list goes with session and id only".to_owned()));
        }
        let overlays = found.map_or_else(|| elements.shown(), |one| vec![one]);
        return Ok(OverlayAnswer { session: params.session, id: None, overlays });
    }
    let base = found.unwrap_or_else(|| new(app, &elements, &params));
    let overlay = params.applied_to(base);
    elements.put(overlay.clone())?;
    session.redraw();
    Ok(OverlayAnswer { session: params.session, id: Some(overlay.id), overlays: vec![overlay] })
}

/// An overlay that is as large as the text it is made with.
fn new(app: &App, elements: &Elements, params: &OverlayParams) -> Overlay {
    let spans = params.spans.as_deref().unwrap_or_default();
    let (width, height) = extent(spans);
    Overlay {
        id: app.next_element(Kind::Overlay),
        x: 0,
        y: 0,
        z: 0,
        width,
        height,
        background: None,
        spans: Vec::new(),
        layer: elements.layer,
    }
}

/// Columns and rows that the text of spans needs, at least one each.
pub(super) fn extent(spans: &[Span]) -> (u16, u16) {
    let text: String = spans.iter().map(|span| span.text.as_str()).collect();
    let width = text.lines().map(|line| line.chars().count()).max().unwrap_or(0);
    let clamped = |cells: usize| Extent::clamped(u32::try_from(cells).unwrap_or(u32::MAX)).cells();
    (clamped(width), clamped(text.lines().count()))
}

impl OverlayParams {
    fn draws(&self) -> bool {
        let cell = self.x.or(self.y).or(self.z).is_some();
        cell || self.width.or(self.height).is_some()
            || self.background.is_some()
            || self.spans.is_some()
    }

    /// The overlay with everything that was given.
    fn applied_to(&self, old: Overlay) -> Overlay {
        Overlay {
            x: self.x.map_or(old.x, Whole::cells),
            y: self.y.map_or(old.y, Whole::cells),
            z: self.z.map_or(old.z, Whole::cells),
            width: self.width.map_or(old.width, Whole::cells),
            height: self.height.map_or(old.height, Whole::cells),
            background: self.background.clone().or(old.background),
            spans: self.spans.clone().unwrap_or(old.spans),
            ..old
        }
    }
}

/// Removes one overlay, or all.
pub(crate) fn remove_overlay(app: &App, params: RemoveElement) -> Result<Removed, Failure> {
    let session = app.sessions.find(&params.session)?;
    let removed = session.elements().remove::<Overlay>(params.id.as_deref())?;
    session.redraw();
    Ok(Removed { session: params.session, removed })
}
