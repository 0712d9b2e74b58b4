//! Panels: rows at the terminal's edge that the program does not get.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::overlays::{RemoveElement, Removed, extent};
use crate::app::App;
use crate::failure::Failure;
use crate::session::{ElementId, Elements, Kind, Panel, Position, Session, Span};
use crate::value::{Color, Whole};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PanelParams {
    session: String,
    /// The panel to change; without it one is made
    id: Option<String>,
    /// The edge it takes; a new panel takes the bottom if absent
    position: Option<Position>,
    /// Rows; as high as its text if absent
    height: Option<Whole<1, 100>>,
    /// Lower ones are nearer to the edge
    z: Option<Whole<0, 999>>,
    background: Option<Color>,
    spans: Option<Vec<Span>>,
    /// List what is there instead of drawing; goes with id at most
    #[serde(default)]
    list: bool,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub(crate) struct PanelAnswer {
    session: String,
    /// The panel made or changed; absent when listing
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<ElementId>,
    /// The one made or changed, or those listed
    panels: Vec<Panel>,
    /// Rows that are left for the program
    rows: u16,
}

/// Makes, changes or lists panels, and gives the program the rows that are left.
pub(crate) fn panel(app: &App, params: PanelParams) -> Result<PanelAnswer, Failure> {
    let session = app.sessions.find(&params.session)?;
    let mut elements = session.elements();
    let found = params.id.as_deref().map(|id| elements.find::<Panel>(id)).transpose()?;
    if params.list {
        if params.draws() {
            return Err(Failure::Invalid("list goes with session and id only".to_owned()));
        }
        let panels = found.map_or_else(|| elements.shown(), |one| vec![one]);
        return Ok(PanelAnswer {
            rows: session.emulator().size().0,
            session: params.session,
            id: None,
            panels,
        });
    }
    let base = found.unwrap_or_else(|| new(app, &elements, &params));
    let panel = params.applied_to(base);
    let others = elements
        .shown::<Panel>()
        .iter()
        .filter(|other| other.id != panel.id)
        .map(|other| other.height)
        .sum();
    room(&session, others, panel.height)?;
    elements.put(panel.clone())?;
    session.fit(&mut elements)?;
    let rows = session.emulator().size().0;
    Ok(PanelAnswer { session: params.session, id: Some(panel.id), panels: vec![panel], rows })
}

/// Refuses a panel that would leave the program no row.
fn room(session: &Session, taken: u16, wanted: u16) -> Result<(), Failure> {
    let free = session.whole_rows().saturating_sub(taken).saturating_sub(1);
    if wanted <= free {
        return Ok(());
    }
    Err(Failure::Conflict(format!("a panel of {wanted} rows does not fit, {free} rows are free")))
}

fn new(app: &App, elements: &Elements, params: &PanelParams) -> Panel {
    Panel {
        id: app.next_element(Kind::Panel),
        position: Position::default(),
        height: extent(params.spans.as_deref().unwrap_or_default()).1,
        z: 0,
        background: None,
        spans: Vec::new(),
        layer: elements.layer,
    }
}

impl PanelParams {
    fn draws(&self) -> bool {
        let measure = self.height.is_some() || self.z.is_some() || self.position.is_some();
        measure || self.background.is_some() || self.spans.is_some()
    }

    /// The panel with everything that was given.
    fn applied_to(&self, old: Panel) -> Panel {
        Panel {
            position: self.position.unwrap_or(old.position),
            height: self.height.map_or(old.height, Whole::cells),
            z: self.z.map_or(old.z, Whole::cells),
            background: self.background.clone().or(old.background),
            spans: self.spans.clone().unwrap_or(old.spans),
            ..old
        }
    }
}

/// Removes one panel, or all, and gives the program their rows back.
pub(crate) fn remove_panel(app: &App, params: RemoveElement) -> Result<Removed, Failure> {
    let session = app.sessions.find(&params.session)?;
    let mut elements = session.elements();
    let removed = elements.remove::<Panel>(params.id.as_deref())?;
    session.fit(&mut elements)?;
    Ok(Removed { session: params.session, removed })
}
