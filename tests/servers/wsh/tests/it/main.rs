//! The server as its clients see it: real processes, pipes, sockets and terminals.
#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "helpers of tests fail and tell like tests do"
)]
#![allow(
    clippy::large_futures,
    reason = "many calls at once are held by one test, not by a server"
)]

mod drawing;
mod http_api;
mod lifecycle;
mod prompts;
mod resources;
mod schemas;
mod screens;
mod sessions;
mod support;
mod witness;
