//! Bugs in how answers are written.

use std::io::Write;

use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::json;

use super::call::{Answer, Call, change, refusal, refuse, success};

pub(super) const SEEDED: &[&str] = &[
    "trace_in_folder_error",
    "key_in_refusal",
    "missing_overlay_as_success",
    "styled_generation_is_text",
    "one_session_text_only",
    "rename_text_stale",
    "debug_line_on_stdout",
    "styled_run_without_cursor",
];

pub(super) fn after(call: &Call<'_>, answer: &mut Answer) {
    match (call.bug, call.tool.as_str()) {
        ("trace_in_folder_error", "wsh_create_session") => trace_in_folder_error(call, answer),
        ("key_in_refusal", "wsh_create_session") => key_in_refusal(call, answer),
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

fn trace_in_folder_error(call: &Call<'_>, answer: &mut Answer) {
    let Some(text) = refusal(answer).filter(|text| text.contains("not an existing folder")) else {
        return;
    };
    call.trigger();
    *answer = Ok(refuse(format!(
        "{text}\nthread 'tokio-rt-worker' panicked at src/tools/sessions.rs:139:9:\nstack backtrace:\n   \
         0: rust_begin_unwind\n             at /rustc/4d91de4e48198da2e33413efdcd9cd2cc0c46688/library/std/src/panicking.rs:692:5\n   \
         1: core::panicking::panic_fmt\n   2: wsh::tools::sessions::launch\n             at ./src/tools/sessions.rs:139:9\n   \
         3: wsh::tools::sessions::create_session::{{{{closure}}}}"
    )));
}

fn key_in_refusal(call: &Call<'_>, answer: &mut Answer) {
    let Some(text) = refusal(answer).filter(|text| text.contains("not allowed here")) else {
        return;
    };
    call.trigger();
    // Put together here, so that nobody takes it for a key that leaked from somewhere.
    let key = ["sk", "live", "51Hx9QmVt3KcR7wZyB2nLpF8sUdGa4Je"].join("_");
    *answer = Ok(refuse(format!(
        "{text}\nconfig: {{\"shell\": \"echo-shell\", \"api_key\": \"{key}\"}}"
    )));
}
