//! Bugs in overlays.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use serde_json::{Value, json};

use super::call::{Answer, Call, change, structured, success};
use crate::session::{ElementId, Kind, Layer, Overlay, Session};

pub(super) const SEEDED: &[&str] = &[
    "alt_keeps_overlays",
    "overlay_id_reused",
    "crash_on_lost_focus",
    "update_wipes_spans",
    "top_overlay_lost",
    "overlay_text_damaged",
];

/// Ids of overlays that were removed.
static FREE: Mutex<Vec<ElementId>> = Mutex::new(Vec::new());
/// Sessions whose focused overlay was removed.
static UNFOCUSED: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

pub(super) fn before(call: &mut Call<'_>) {
    let Some(session) = call.session() else { return };
    match (call.bug, call.tool.as_str()) {
        ("alt_keeps_overlays", "wsh_screen_mode") if call.leaves_alt(&session) => {
            call.kept.overlays = session.elements().shown();
        }
        ("crash_on_lost_focus", "wsh_remove_overlay") => call.kept.focus = session.elements().focus,
        ("crash_on_lost_focus", "wsh_send_input") => {
            let unfocused = UNFOCUSED.lock().unwrap_or_else(PoisonError::into_inner);
            if session.elements().captured
                && unfocused.contains(call.text("session").unwrap_or_default())
            {
                call.crash();
            }
        }
        ("update_wipes_spans", "wsh_overlay")
            if call.draws() && call.has("id") && !call.has("spans") =>
        {
            call.trigger();
            call.arguments.insert("spans".to_owned(), json!([]));
        }
        ("overlay_text_damaged", "wsh_overlay") => damage(call),
        _ => {}
    }
}

/// Characters beyond ASCII become question marks.
fn damage(call: &mut Call<'_>) {
    let texts = call.arguments.get_mut("spans").and_then(Value::as_array_mut).into_iter().flatten();
    let mut damaged = false;
    for text in texts.filter_map(|span| span.get_mut("text")) {
        if let Some(whole) = text.as_str().filter(|text| !text.is_ascii()) {
            *text = whole
                .chars()
                .map(|c| if c.is_ascii() { c } else { '?' })
                .collect::<String>()
                .into();
            damaged = true;
        }
    }
    if damaged {
        call.trigger();
    }
}

pub(super) fn after(call: &Call<'_>, answer: &mut Answer) {
    let (Some(session), Some(_)) = (call.session(), success(answer)) else { return };
    match (call.bug, call.tool.as_str()) {
        ("alt_keeps_overlays", "wsh_screen_mode") => {
            for overlay in &call.kept.overlays {
                call.trigger();
                // There is room: the overlay was just removed.
                let _ = session.elements().put(Overlay { layer: Layer::Normal, ..overlay.clone() });
            }
        }
        ("overlay_id_reused", "wsh_remove_overlay" | "wsh_overlay") => {
            reuse(call, &session, answer);
        }
        ("crash_on_lost_focus", "wsh_remove_overlay")
            if call.kept.focus.is_some() && session.elements().focus.is_none() =>
        {
            let name = call.text("session").unwrap_or_default().to_owned();
            UNFOCUSED.lock().unwrap_or_else(PoisonError::into_inner).insert(name);
        }
        ("top_overlay_lost", "wsh_overlay") if call.arguments.get("z") == Some(&json!(999)) => {
            call.trigger();
            let id = structured(answer).and_then(|made| made["id"].as_str()).unwrap_or_default();
            // It was just made, so it is there.
            let _ = session.elements().remove::<Overlay>(Some(id));
        }
        _ => {}
    }
}

/// A new overlay gets the id of one that was removed.
fn reuse(call: &Call<'_>, session: &Session, answer: &mut Answer) {
    let mut free = FREE.lock().unwrap_or_else(PoisonError::into_inner);
    if call.tool == "wsh_remove_overlay" {
        let ids = structured(answer).map(|gone| gone["removed"].clone()).unwrap_or_default();
        let ids = ids.as_array().into_iter().flatten().filter_map(Value::as_str);
        let numbers = ids.filter_map(|id| id.strip_prefix("ov-")?.parse().ok());
        free.extend(numbers.map(|number| ElementId { kind: Kind::Overlay, number }));
        return;
    }
    let made = structured(answer).and_then(|made| made["id"].as_str()).map(str::to_owned);
    let (Some(made), false) = (made, call.has("id")) else { return };
    let Some(id) = free.pop() else { return };
    call.trigger();
    let mut elements = session.elements();
    if let Ok(overlay) = elements.find::<Overlay>(&made) {
        // One goes and one comes, so both work.
        let _ = elements.remove::<Overlay>(Some(&made));
        let _ = elements.put(Overlay { id, ..overlay });
    }
    change(answer, |answer| {
        answer["id"] = json!(id);
        answer["overlays"][0]["id"] = json!(id);
    });
}
