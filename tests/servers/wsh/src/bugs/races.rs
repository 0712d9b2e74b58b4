//! Bugs that need two calls at once, or a cancelled one.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde_json::json;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use super::call::Call;
use crate::session::Overlay;

pub(super) const SEEDED: &[&str] = &[
    "same_name_twice",
    "both_take_the_name",
    "overlay_update_lost",
    "screens_swapped",
    "crash_on_two_kills",
    "cancelled_run_stays_locked",
];

/// How long a call lingers where another one may overtake it.
const WINDOW: Duration = Duration::from_millis(50);
const PAUSE: Duration = Duration::from_millis(5);

/// Names of sessions that are being made or killed.
static BUSY: Mutex<Vec<String>> = Mutex::new(Vec::new());
/// Reads of screens, with their time.
static READS: Mutex<Vec<(Instant, String)>> = Mutex::new(Vec::new());
/// Sessions in which a command runs, with what tells that its call was cancelled.
static RUNS: Mutex<BTreeMap<String, CancellationToken>> = Mutex::new(BTreeMap::new());

fn locked<T>(mutex: &'static Mutex<T>) -> MutexGuard<'static, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

pub(super) async fn before(call: &mut Call<'_>) {
    match (call.bug, call.tool.as_str()) {
        ("same_name_twice", "wsh_create_session") if !call.has("name") => {
            let number = call.app.sessions.all().len() + 1;
            call.arguments.insert("name".to_owned(), json!(format!("shell{number}")));
            take_name(call).await;
        }
        ("both_take_the_name", "wsh_create_session") if call.has("name") => take_name(call).await,
        ("overlay_update_lost", "wsh_overlay") if call.has("id") => lose_update(call).await,
        ("screens_swapped", "wsh_get_screen") if call.session().is_some() => swap(call).await,
        ("crash_on_two_kills", "wsh_manage_session") if call.text("action") == Some("kill") => {
            let name = call.text("session").unwrap_or_default().to_owned();
            if locked(&BUSY).contains(&name) {
                call.crash();
            }
            if call.session().is_some() {
                locked(&BUSY).push(name.clone());
                call.kept.name = Some(name);
                sleep(WINDOW).await;
            }
        }
        ("cancelled_run_stays_locked", "wsh_run_command") if call.session().is_some() => {
            lock_run(call).await;
        }
        _ => {}
    }
}

pub(super) fn after(call: &Call<'_>) {
    if let Some(name) = &call.kept.name {
        locked(&BUSY).retain(|busy| busy != name);
    }
    if call.bug == "cancelled_run_stays_locked"
        && call.tool == "wsh_run_command"
        && !call.cancelled.is_cancelled()
    {
        locked(&RUNS).remove(call.text("session").unwrap_or_default());
    }
}

/// Of two sessions made under one name at the same time the second takes the place of the first.
async fn take_name(call: &mut Call<'_>) {
    let name = call.text("name").unwrap_or_default().to_owned();
    let overtaken = {
        let mut busy = locked(&BUSY);
        let overtaken = busy.contains(&name);
        busy.push(name.clone());
        overtaken
    };
    call.kept.name = Some(name.clone());
    if !overtaken {
        return;
    }
    // The first one is on its way, or was refused.
    for _ in 0..200 {
        if let Ok(first) = call.app.sessions.take(&name) {
            call.trigger();
            first.pty().kill().await;
            return;
        }
        sleep(PAUSE).await;
    }
}

/// An update writes all fields, those it was not given as they were when it began.
async fn lose_update(call: &mut Call<'_>) {
    let read = |call: &Call<'_>| {
        let id = call.text("id")?.to_owned();
        call.session()?.elements().find::<Overlay>(&id).ok()
    };
    let Some(old) = read(call) else { return };
    sleep(WINDOW).await;
    if read(call).is_some_and(|now| now != old) {
        call.trigger();
    }
    for (field, value) in
        [("x", old.x), ("y", old.y), ("z", old.z), ("width", old.width), ("height", old.height)]
    {
        if !call.has(field) {
            call.arguments.insert(field.to_owned(), json!(value));
        }
    }
}

/// Two sessions whose screens are read at the same time get each other's.
async fn swap(call: &mut Call<'_>) {
    let (began, name) = (Instant::now(), call.text("session").unwrap_or_default().to_owned());
    locked(&READS).push((began, name.clone()));
    sleep(WINDOW).await;
    let mut reads = locked(&READS);
    reads.retain(|(time, _)| time.elapsed() < WINDOW * 10);
    let at_once = |time: Instant| began.max(time) - began.min(time) < WINDOW;
    let other = reads.iter().find(|(time, other)| *other != name && at_once(*time));
    if let Some((_, other)) = other {
        call.trigger();
        call.arguments.insert("session".to_owned(), json!(other));
    }
}

/// One command at a time in a session; a cancelled one never lets go.
async fn lock_run(call: &Call<'_>) {
    let name = call.text("session").unwrap_or_default();
    loop {
        let holder = locked(&RUNS).get(name).cloned();
        match holder {
            None => break,
            Some(holder) if holder.is_cancelled() => {
                call.trigger();
                std::future::pending::<()>().await;
            }
            Some(_) => sleep(PAUSE).await,
        }
    }
    locked(&RUNS).insert(name.to_owned(), call.cancelled.clone());
}
