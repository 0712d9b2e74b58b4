//! Tests of the real command.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod harness;
mod mcp;
mod messages;
mod reports;
mod runs;
