//! The server as its clients see it: real processes, pipes, sockets and terminals.

mod drawing;
mod http_api;
mod lifecycle;
mod prompts;
mod resources;
mod schemas;
mod screens;
mod sessions;
mod support;
