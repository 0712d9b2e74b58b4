//! tooltest core: finds, shrinks and reports bugs in MCP servers.

pub mod case;
pub mod catalog;
pub mod config;
pub mod error;
pub mod event;
pub mod exchange;
pub mod finding;
pub mod generate;
pub mod glob;
pub mod input;
pub mod lints;
pub mod message;
pub mod outcome;
pub mod probe;
pub mod protocol;
pub mod record;
pub mod report;
pub mod result;
pub mod schema;
pub mod session;
pub mod suggest;
pub mod transport;
