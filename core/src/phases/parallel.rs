//! The parallel phase.

use crate::worker::Worker;

/// Runs the phase.
pub(crate) fn run(worker: &mut Worker<'_>) {
    let _ = worker;
}
