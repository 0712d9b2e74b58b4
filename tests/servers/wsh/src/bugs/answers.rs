//! Bugs in how answers are written.

use std::io::Write;

use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::json;

use super::call::{Answer, Call, change, refusal, refuse, success};

pub(super) const SEEDED: &[&str] = &[
    "trace_in_panel_error",
    "token_in_refusal",
    "missing_overlay_as_success",
    "styled_generation_is_text",
    "one_session_text_only",
    "rename_text_stale",
    "debug_line_on_stdout",
    "styled_run_without_cursor",
];

pub(super) fn after(call: &Call<'_>, answer: &mut Answer) {
    match (call.bug, call.tool.as_str()) {
        ("trace_in_panel_error", "wsh_remove_panel") => trace_in_panel_error(call, answer),
        ("token_in_refusal", "wsh_create_session") => token_in_refusal(call, answer),
        ("missing_overlay_as_success", "wsh_remove_overlay") => {
            if let Some(text) = refusal(answer).map(|text| format!("Error: {text}")) {
                call.trigger();
                *answer = Ok(CallToolResult::success(vec![ContentBlock::text(text)]).into());
            }
        }
        ("styled_generation_is_text", "wsh_get_screen")
            if call.text("format") == Some("styled") =>
        {
            change(answer, |screen| {
                call.trigger();
                screen["generation"] = json!(screen["generation"].to_string());
            });
        }
        ("one_session_text_only", "wsh_list_sessions") if call.has("session") => {
            if let Some(result) = success(answer) {
                call.trigger();
                result.structured_content = None;
            }
        }
        ("rename_text_stale", "wsh_manage_session") if call.text("action") == Some("rename") => {
            if let Some(result) = success(answer) {
                call.trigger();
                let stale = json!({"session": call.text("session"), "action": "rename"});
                result.content = vec![ContentBlock::text(stale.to_string())];
            }
        }
        ("debug_line_on_stdout", "wsh_panel")
            if call.text("position") == Some("top") && success(answer).is_some() =>
        {
            call.trigger();
            // Nobody is harmed if the line is lost.
            let _ = std::io::stdout().lock().write_all(b"DEBUG panel: position = Top, refit\n");
        }
        ("styled_run_without_cursor", "wsh_run_command")
            if call.text("format") == Some("styled") =>
        {
            change(answer, |result| {
                call.trigger();
                result["screen"].as_object_mut().and_then(|screen| screen.remove("cursor"));
            });
        }
        _ => {}
    }
}

fn trace_in_panel_error(call: &Call<'_>, answer: &mut Answer) {
    let Some(text) = refusal(answer).filter(|text| text.contains("no panel")) else { return };
    call.trigger();
    let trace = [
        "thread 'tokio-rt-worker' panicked at src/session/elements.rs:197:9:",
        "stack backtrace:",
        "   0: rust_begin_unwind",
        "             at /rustc/4d91de4e48198da2e33413efdcd9cd2cc0c46688/library/std/src/panicking.rs:692:5",
        "   1: core::panicking::panic_fmt",
        "   2: wsh::session::elements::Elements::find",
        "             at ./src/session/elements.rs:197:9",
        "   3: wsh::tools::panels::remove_panel",
    ];
    *answer = Ok(refuse(format!("{text}\n{}", trace.join("\n"))));
}

fn token_in_refusal(call: &Call<'_>, answer: &mut Answer) {
    let Some(text) = refusal(answer).filter(|text| text.contains("not allowed here")) else {
        return;
    };
    call.trigger();
    let token = call.app.config.token.as_deref().unwrap_or("none");
    *answer = Ok(refuse(format!(
        "{text}; the owner changes that with curl -H 'Authorization: Bearer {token}'"
    )));
}
