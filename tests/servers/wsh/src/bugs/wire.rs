//! Bugs below the SDK: messages are changed on their way out.

mod change;
mod http;
mod pipe;

pub(super) use change::SEEDED;
pub(crate) use http::over_http;
pub(crate) use pipe::stdio;

/// The bug of this module that is switched on.
fn active() -> Option<&'static str> {
    super::active().filter(|bug| SEEDED.contains(bug))
}
