//! Bugs in reading, waiting and modes.

use rmcp::ErrorData;
use serde_json::{Value, json};

use super::call::{Answer, Call, change, success};
use crate::session::Layer;

pub(super) const SEEDED: &[&str] = &[
    "scrollback_pages_overlap",
    "screen_releases_capture",
    "exit_alt_fails_inside",
    "capture_toggles",
    "quiesce_clears_screen",
];

pub(super) fn before(call: &mut Call<'_>) -> Result<(), ErrorData> {
    let Some(session) = call.session() else { return Ok(()) };
    match (call.bug, call.tool.as_str()) {
        ("scrollback_pages_overlap", "wsh_get_scrollback") => overlap(call),
        ("screen_releases_capture", "wsh_get_screen") if session.elements().captured => {
            call.trigger();
            let mut elements = session.elements();
            elements.captured = false;
            elements.focus = None;
        }
        ("exit_alt_fails_inside", "wsh_screen_mode") => {
            let leaves = call.text("action") == Some("exit_alt");
            if leaves && session.elements().layer == Layer::Normal {
                call.trigger();
                return Err(ErrorData::internal_error("attempt to subtract with overflow", None));
            }
        }
        ("capture_toggles", "wsh_input_mode") => {
            let again = call.text("mode") == Some("capture") && session.elements().captured;
            if again {
                call.trigger();
                call.arguments.insert("mode".to_owned(), json!("release"));
            }
        }
        _ => {}
    }
    Ok(())
}

/// Pages after the first begin one line too early.
fn overlap(call: &mut Call<'_>) {
    if let Some(offset) =
        call.arguments.get("offset").and_then(Value::as_u64).filter(|offset| *offset > 0)
    {
        call.trigger();
        call.kept.value = json!(offset);
        call.arguments.insert("offset".to_owned(), json!(offset - 1));
    }
}

pub(super) fn after(call: &Call<'_>, answer: &mut Answer) {
    let (Some(session), Some(_)) = (call.session(), success(answer)) else { return };
    match (call.bug, call.tool.as_str()) {
        ("scrollback_pages_overlap", "wsh_get_scrollback") => asked_offset(call, answer),
        ("quiesce_clears_screen", "wsh_await_quiesce") => {
            call.trigger();
            session.emulator().feed(b"\x1b[2J\x1b[H");
        }
        _ => {}
    }
}

/// The page tells the offset that was asked for, and goes on after it.
fn asked_offset(call: &Call<'_>, answer: &mut Answer) {
    let Some(offset) = call.kept.value.as_u64() else { return };
    change(answer, |page| {
        page["offset"] = json!(offset);
        if let Some(next) = page.get("next_offset").and_then(Value::as_u64) {
            let last = page["total"].as_u64() <= Some(next + 1);
            page["next_offset"] = json!(next + 1);
            if last {
                page.as_object_mut().and_then(|page| page.remove("next_offset"));
            }
        }
    });
}
