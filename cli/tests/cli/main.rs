//! Tests of the real command.

mod harness;
mod messages;
mod reports;
mod runs;
