//! Bugs in making, naming and ending sessions.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rmcp::model::CallToolResult;
use serde_json::{Value, json};

use super::call::{Answer, Call, change, success};
use crate::terminal::Format;

pub(super) const SEEDED: &[&str] = &[
    "rename_keeps_old_name",
    "killed_still_listed",
    "screen_after_kill",
    "crash_on_second_detach",
    "crash_on_name_used_again",
    "crash_on_sixth_session",
    "refused_name_ends_program",
    "kill_takes_namesakes",
    "rename_forgets_scrollback",
];

/// Sessions that were killed, with what is still told about them.
static KILLED: Mutex<BTreeMap<String, Value>> = Mutex::new(BTreeMap::new());
/// Sessions whose viewers were sent away.
static DETACHED: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

fn killed() -> MutexGuard<'static, BTreeMap<String, Value>> {
    KILLED.lock().unwrap_or_else(PoisonError::into_inner)
}

pub(super) async fn before(call: &mut Call<'_>) {
    let action = call.text("action").unwrap_or_default();
    match (call.bug, call.tool.as_str(), action) {
        ("killed_still_listed", "wsh_manage_session", "kill") => {
            call.kept.value = call.session().map_or(Value::Null, |session| {
                let (rows, cols) = session.emulator().size();
                json!({"name": call.text("session"), "pid": session.pty().pid(), "rows": rows, "cols": cols, "running": false})
            });
        }
        ("screen_after_kill", "wsh_manage_session", "kill") => {
            call.kept.value = call.session().map_or(Value::Null, |session| {
                let mut screen = json!(session.emulator().screen(Format::Plain));
                screen["session"] = json!(call.text("session"));
                screen
            });
        }
        ("screen_after_kill", "wsh_get_screen", _) if call.session().is_none() => {
            if let Some(screen) = killed().get(call.text("session").unwrap_or_default()) {
                call.trigger();
                call.early = Some(Ok(CallToolResult::structured(screen.clone()).into()));
            }
        }
        ("crash_on_name_used_again", "wsh_create_session", _)
            if call.text("name").is_some_and(|name| killed().contains_key(name)) =>
        {
            call.crash()
        }
        ("crash_on_sixth_session", "wsh_create_session", _)
            if call.app.sessions.all().len() >= 5 =>
        {
            call.crash()
        }
        ("crash_on_second_detach", "wsh_manage_session", "detach") => second_detach(call),
        ("refused_name_ends_program", "wsh_create_session", _) => refused_name(call).await,
        ("kill_takes_namesakes", "wsh_manage_session", "kill") => take_namesakes(call).await,
        _ => {}
    }
}

pub(super) fn after(call: &Call<'_>, answer: &mut Answer) {
    if success(answer).is_none() {
        return;
    }
    let name = call.text("session").unwrap_or_default().to_owned();
    match (call.bug, call.tool.as_str(), call.text("action").unwrap_or_default()) {
        ("rename_keeps_old_name", "wsh_manage_session", "rename") => {
            let new_name = call.text("new_name").unwrap_or_default();
            if let Ok(session) = call.app.sessions.find(new_name)
                && new_name != name
            {
                call.trigger();
                call.app.sessions.put(&name, session);
            }
        }
        (
            "killed_still_listed" | "screen_after_kill" | "crash_on_name_used_again",
            "wsh_manage_session",
            "kill",
        ) => {
            killed().insert(name, call.kept.value.clone());
        }
        ("killed_still_listed", "wsh_list_sessions", _) if !call.has("session") => {
            let ghosts: Vec<Value> = killed().values().cloned().collect();
            change(answer, |list| {
                for ghost in ghosts {
                    call.trigger();
                    list["sessions"]
                        .as_array_mut()
                        .into_iter()
                        .for_each(|list| list.push(ghost.clone()));
                }
            });
        }
        ("rename_forgets_scrollback", "wsh_manage_session", "rename") => {
            if let Ok(session) = call.app.sessions.find(call.text("new_name").unwrap_or_default()) {
                call.trigger();
                session.emulator().feed(b"\x1bc");
            }
        }
        _ => {}
    }
}

fn second_detach(call: &Call<'_>) {
    let Some(name) = call.text("session").filter(|_| call.session().is_some()) else { return };
    let first = DETACHED.lock().unwrap_or_else(PoisonError::into_inner).insert(name.to_owned());
    if !first {
        call.crash();
    }
}

/// A name that is taken is refused, but the session that has it loses its program.
async fn refused_name(call: &Call<'_>) {
    if let Ok(session) = call.app.sessions.find(call.text("name").unwrap_or_default()) {
        call.trigger();
        session.pty().kill().await;
    }
}

/// All sessions whose names begin with the given one go with it.
async fn take_namesakes(call: &Call<'_>) {
    let Some(name) = call.text("session").filter(|_| call.session().is_some()) else { return };
    for (other, session) in call.app.sessions.all() {
        if other != name && other.starts_with(name) {
            call.trigger();
            session.pty().kill().await;
            // Somebody else may have taken it out already.
            let _ = call.app.sessions.take(&other);
        }
    }
}
