//! Which server processes are running, so that a process that ends at once leaves none behind.

use rustix::process::{Pid, Signal};
use std::sync::{Mutex, PoisonError};

static LIVE: Mutex<Vec<Pid>> = Mutex::new(Vec::new());

/// Notes that a process group was started.
pub(super) fn add(group: Pid) {
    LIVE.lock().unwrap_or_else(PoisonError::into_inner).push(group);
}

/// Notes that a process group is gone.
pub(super) fn remove(group: Pid) {
    LIVE.lock().unwrap_or_else(PoisonError::into_inner).retain(|live| *live != group);
}

/// Kills every running server with its process group. For hosts that are about to end without closing their sessions.
pub fn kill_all() {
    for group in LIVE.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
        // An error means that nothing of the group is left, which is what was wanted.
        let _ = rustix::process::kill_process_group(group, Signal::KILL);
    }
}
