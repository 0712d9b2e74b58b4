//! The protocol phase: the probes that lints plan, sent once each and judged.

use crate::worker::Worker;

/// Runs the probes.
pub(crate) fn run(worker: &mut Worker<'_>) {
    let _ = worker;
}
