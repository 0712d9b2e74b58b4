//! A small server with seeded bugs, so that a newcomer sees a real report at once.

mod server;
mod tasks;

pub(crate) use server::{Ending, serve};
