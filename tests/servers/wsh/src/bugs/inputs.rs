//! Bugs in how arguments are taken.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use rmcp::ErrorData;
use serde_json::{Value, json};

use super::call::{Call, refuse};

pub(super) const SEEDED: &[&str] = &[
    "crash_on_astral_input",
    "crash_on_folder_and_variables",
    "hang_beyond_the_end",
    "rows_at_maximum_refused",
    "limit_zero_accepted",
    "missing_input_accepted",
    "encoding_default_refused",
    "other_format_applied",
    "empty_input_poisons",
    "dotted_name_fails_inside",
    "http_format_leaks",
];

/// Whether `empty_input_poisons` has struck.
static POISONED: AtomicBool = AtomicBool::new(false);
/// Formats asked for, with the connection they came in.
static ASKED: Mutex<Vec<(String, String)>> = Mutex::new(Vec::new());

pub(super) async fn before(call: &mut Call<'_>) -> Result<(), ErrorData> {
    match (call.bug, call.tool.as_str()) {
        ("crash_on_astral_input", "wsh_send_input") => {
            let astral =
                call.text("input").is_some_and(|text| text.chars().any(|c| c > '\u{ffff}'));
            if astral && call.session().is_some() {
                call.crash();
            }
        }
        ("crash_on_folder_and_variables", "wsh_create_session")
            if call.has("cwd") && call.has("env") =>
        {
            call.crash()
        }
        ("hang_beyond_the_end", "wsh_get_scrollback") => hang_beyond_the_end(call).await,
        ("rows_at_maximum_refused", "wsh_create_session")
            if call.arguments.get("rows") == Some(&json!(300)) =>
        {
            call.trigger();
            call.early = Some(Ok(refuse(
                "failed to deserialize parameters: 300 is not a whole number from 2 to 299",
            )));
        }
        ("limit_zero_accepted", "wsh_get_scrollback")
            if call.arguments.get("limit") == Some(&json!(0)) =>
        {
            call.trigger();
            call.arguments.remove("limit");
        }
        ("missing_input_accepted", "wsh_send_input") if !call.arguments.contains_key("input") => {
            call.trigger();
            call.arguments.insert("input".to_owned(), json!(""));
        }
        ("encoding_default_refused", "wsh_send_input") if call.text("encoding") == Some("utf8") => {
            call.trigger();
            call.early = Some(Ok(refuse("encoding \"utf8\" is not supported, use base64")));
        }
        ("other_format_applied", "wsh_get_screen") if !call.arguments.contains_key("format") => {
            call.trigger();
            call.arguments.insert("format".to_owned(), json!("styled"));
        }
        ("http_format_leaks", "wsh_get_screen") => format_of_others(call),
        ("empty_input_poisons", "wsh_send_input") => return poison(call),
        ("dotted_name_fails_inside", "wsh_create_session")
            if call.text("name").is_some_and(|n| n.contains('.')) =>
        {
            call.trigger();
            return Err(ErrorData::internal_error(
                "called `Option::unwrap()` on a `None` value",
                None,
            ));
        }
        _ => {}
    }
    Ok(())
}

/// A page that begins after the last line is never answered.
async fn hang_beyond_the_end(call: &Call<'_>) {
    let Some(session) = call.session() else { return };
    let total = session.emulator().scrollback(0, 0, crate::terminal::Format::Plain).1;
    let beyond = |offset: u64| usize::try_from(offset).is_ok_and(|offset| offset > total);
    if call.arguments.get("offset").and_then(Value::as_u64).is_some_and(beyond) {
        call.trigger();
        std::future::pending::<()>().await;
    }
}

/// After one empty input all input fails.
fn poison(call: &Call<'_>) -> Result<(), ErrorData> {
    if call.session().is_none() {
        return Ok(());
    }
    if POISONED.load(Ordering::Relaxed) {
        call.trigger();
        let message = "called `Result::unwrap()` on an `Err` value: PoisonError { .. }";
        return Err(ErrorData::internal_error(message, None));
    }
    if call.text("input") == Some("") {
        POISONED.store(true, Ordering::Relaxed);
    }
    Ok(())
}

/// `wsh_get_screen` without a format takes the one that another connection asked for last.
fn format_of_others(call: &mut Call<'_>) {
    let Some(connection) = call.connection.clone() else { return };
    let mut asked = ASKED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(format) = call.text("format") {
        asked.push((connection, format.to_owned()));
    } else if let Some((_, format)) = asked.iter().rev().find(|(other, _)| *other != connection) {
        call.trigger();
        call.arguments.insert("format".to_owned(), json!(format));
    }
}
