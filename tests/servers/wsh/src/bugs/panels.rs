//! Bugs in panels.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use serde_json::Value;

use super::call::{Answer, Call, refusal, success};
use crate::session::{Kind, Layer, Panel, Position, Session};

pub(super) const SEEDED: &[&str] =
    &["panel_rows_lost", "height_not_stored", "refused_panel_stored", "crash_on_alt_panel_removal"];

/// Sessions whose alternate layer was left with a panel in it.
static LEFT: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

pub(super) fn before(call: &mut Call<'_>) {
    let Some(session) = call.session() else { return };
    match (call.bug, call.tool.as_str()) {
        ("panel_rows_lost", "wsh_remove_panel") => call.kept.rows = session.emulator().size().0,
        ("height_not_stored", "wsh_panel") if call.draws() && call.has("height") => {
            let id = call.text("id").unwrap_or_default();
            call.kept.panel = session.elements().find::<Panel>(id).ok();
        }
        ("crash_on_alt_panel_removal", "wsh_screen_mode" | "wsh_remove_panel") => {
            stale(call, &session);
        }
        _ => {}
    }
}

fn stale(call: &Call<'_>, session: &Session) {
    let name = call.text("session").unwrap_or_default();
    let mut left = LEFT.lock().unwrap_or_else(PoisonError::into_inner);
    if call.tool == "wsh_remove_panel"
        && session.elements().layer == Layer::Normal
        && left.contains(name)
    {
        call.crash();
    }
    if call.leaves_alt(session) && !session.elements().shown::<Panel>().is_empty() {
        left.insert(name.to_owned());
    }
}

pub(super) fn after(call: &Call<'_>, answer: &mut Answer) {
    let Some(session) = call.session() else { return };
    match (call.bug, call.tool.as_str()) {
        ("refused_panel_stored", "wsh_panel") => refused(call, &session, answer),
        ("panel_rows_lost", "wsh_remove_panel") if success(answer).is_some() => {
            let (rows, cols) = session.emulator().size();
            if rows != call.kept.rows {
                call.trigger();
                session.emulator().resize(call.kept.rows, cols);
            }
        }
        ("height_not_stored", "wsh_panel") if success(answer).is_some() => {
            if let Some(panel) = call.kept.panel.clone() {
                call.trigger();
                let mut elements = session.elements();
                // The panel was there before and fitted.
                let _ = elements.put(panel);
                let _ = session.fit(&mut elements);
            }
        }
        _ => {}
    }
}

/// A panel that does not fit is refused, but shows in the list.
fn refused(call: &Call<'_>, session: &Session, answer: &Answer) {
    if !refusal(answer).is_some_and(|text| text.contains("does not fit")) || call.has("id") {
        return;
    }
    call.trigger();
    let height = call.arguments.get("height").and_then(Value::as_u64);
    let mut elements = session.elements();
    let panel = Panel {
        id: call.app.next_element(Kind::Panel),
        position: Position::Bottom,
        height: height.and_then(|height| u16::try_from(height).ok()).unwrap_or(1),
        z: 0,
        background: None,
        spans: Vec::new(),
        layer: elements.layer,
    };
    // Where there are too many panels already, this one is not missed.
    let _ = elements.put(panel);
    let _ = session.fit(&mut elements);
}
