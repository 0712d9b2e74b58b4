//! The Model Context Protocol side: tools, resources and prompts on the official Rust SDK.

mod prompts;
mod resources;
mod server;
mod waits;

pub(crate) use server::Wsh;
