//! Where typed input goes, and which layer of drawings shows.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::app::App;
use crate::failure::Failure;
use crate::session::{ElementId, Elements, Layer};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub(crate) enum Mode {
    Capture,
    Release,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct InputMode {
    session: String,
    /// capture keeps input from the program, release lets it through and drops the focus
    mode: Option<Mode>,
    /// The overlay or panel that captured input is meant for
    focus: Option<String>,
    /// Drop the focus
    #[serde(default)]
    unfocus: bool,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub(crate) struct InputModeState {
    session: String,
    mode: Mode,
    /// The element that captured input is meant for
    #[serde(skip_serializing_if = "Option::is_none")]
    focus: Option<ElementId>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub(crate) enum LayerAction {
    EnterAlt,
    ExitAlt,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ScreenMode {
    session: String,
    /// `exit_alt` removes the overlays and panels made since `enter_alt`; without an action nothing changes
    action: Option<LayerAction>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub(crate) struct ScreenModeState {
    session: String,
    mode: Layer,
    /// Ids of the elements removed
    removed: Vec<ElementId>,
}

/// Sets or tells where input goes.
pub(crate) fn input_mode(app: &App, params: InputMode) -> Result<InputModeState, Failure> {
    let session = app.sessions.find(&params.session)?;
    let mut elements = session.elements();
    let captured = params.mode.map_or(elements.captured, |mode| mode == Mode::Capture);
    let focus = next_focus(&mut elements, &params, captured)?;
    elements.captured = captured;
    elements.focus = focus;
    let mode = if captured { Mode::Capture } else { Mode::Release };
    Ok(InputModeState { session: params.session, mode, focus })
}

fn next_focus(
    elements: &mut Elements,
    params: &InputMode,
    captured: bool,
) -> Result<Option<ElementId>, Failure> {
    match (&params.focus, params.unfocus) {
        (Some(_), true) => Err(Failure::Invalid("focus and unfocus exclude each other".to_owned())),
        (Some(_), false) if !captured => {
            Err(Failure::Conflict("focus needs captured input".to_owned()))
        }
        (Some(id), false) => elements.resolve(id).map(Some),
        (None, unfocus) => Ok(elements.focus.filter(|_| captured && !unfocus)),
    }
}

/// Changes or tells the layer.
pub(crate) fn screen_mode(app: &App, params: ScreenMode) -> Result<ScreenModeState, Failure> {
    let session = app.sessions.find(&params.session)?;
    let mut elements = session.elements();
    let removed = match params.action {
        Some(LayerAction::EnterAlt) => elements.change_layer(Layer::Alt),
        Some(LayerAction::ExitAlt) => elements.change_layer(Layer::Normal),
        None => Vec::new(),
    };
    if params.action.is_some() {
        session.fit(&mut elements)?;
    }
    let mode = elements.layer;
    Ok(ScreenModeState { session: params.session, mode, removed })
}
