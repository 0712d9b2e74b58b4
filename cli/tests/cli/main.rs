//! Tests of the real command.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod exports;
mod harness;
mod mcp;
mod messages;
mod notes;
mod reports;
mod runs;
mod schemas;
mod secrets;
mod tools;
