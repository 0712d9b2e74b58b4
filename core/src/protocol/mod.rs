//! What the protocol's revisions say.

mod revision;

pub use revision::{Era, Revision};
