//! What the protocol's revisions say.

mod revision;
pub mod shapes;

pub use revision::{Era, Revision};
