//! What the protocol's revisions say.

pub mod meta_key;
mod revision;
pub mod shapes;

pub use revision::{Era, Revision};
