//! Ctrl-C and termination.

use std::sync::atomic::{AtomicBool, Ordering};
use tooltest_core::session::CancelToken;

/// Makes the first signal set the token and the second one end the process, servers included.
///
/// Where no handler can be installed, signals keep their usual meaning.
pub(crate) fn install(cancel: CancelToken) {
    let again = AtomicBool::new(false);
    let _ = ctrlc::set_handler(move || {
        if again.swap(true, Ordering::SeqCst) {
            end();
        }
        cancel.cancel();
    });
}

#[expect(clippy::exit, reason = "the user asked twice; nothing is waited for any more")]
fn end() {
    crate::runner::kill_all();
    tooltest_core::transport::kill_all();
    std::process::exit(i32::from(crate::exit::INTERRUPTED));
}
