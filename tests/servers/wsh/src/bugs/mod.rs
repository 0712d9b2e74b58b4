//! Seeded bugs: faults that are off unless `TOOLTEST_BUG` names one, for testing testers.
//!
//! Each faulty path asks [`hit`] first, which notes the bug's id in the file that `TOOLTEST_TRIGGER_FILE` names, so that
//! a bug that ran and a bug that was found can be told apart. The catalogue is `bugs.json`.

pub(crate) mod wire;

use std::fs::OpenOptions;
use std::io::Write;
use std::sync::LazyLock;

static ACTIVE: LazyLock<Option<String>> = LazyLock::new(|| std::env::var("TOOLTEST_BUG").ok());

/// Whether this bug is switched on.
pub(crate) fn active(id: &str) -> bool {
    ACTIVE.as_deref() == Some(id)
}

/// Notes that the faulty path of this bug runs.
pub(crate) fn trigger(id: &str) {
    let Some(path) = std::env::var_os("TOOLTEST_TRIGGER_FILE") else { return };
    let written = OpenOptions::new()
        .create(true)
        .append(true)
        .open(path)
        .and_then(|mut file| writeln!(file, "{id}"));
    if let Err(error) = written {
        tracing::warn!(%error, "the trigger file cannot be written");
    }
}

/// Whether this bug is switched on; if so, its faulty path runs now, which is noted.
pub(crate) fn hit(id: &str) -> bool {
    let active = active(id);
    if active {
        trigger(id);
    }
    active
}
