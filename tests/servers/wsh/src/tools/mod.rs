//! The operations: parameters, answers and what they do. MCP and the HTTP API both call these.

mod input;
mod modes;
mod overlays;
mod panels;
mod screens;
mod sessions;

pub(crate) use input::{
    AwaitQuiesce, DEFAULT_DEADLINE_MS, Quiet, RunCommand, RunResult, SendInput, SentInput,
    await_quiesce, run_command, send_input,
};
pub(crate) use modes::{
    InputMode, InputModeState, ScreenMode, ScreenModeState, input_mode, screen_mode,
};
pub(crate) use overlays::{
    OverlayAnswer, OverlayParams, RemoveElement, Removed, overlay, remove_overlay,
};
pub(crate) use panels::{PanelAnswer, PanelParams, panel, remove_panel};
pub(crate) use screens::{
    GetScreen, GetScrollback, ScreenResult, Scrollback, get_screen, get_scrollback,
};
pub(crate) use sessions::{
    CreateSession, CreatedSession, ListSessions, ManageSession, ManagedSession, SessionList,
    create_session, list_sessions, manage_session,
};
