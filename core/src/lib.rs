//! tooltest core: finds, shrinks and reports bugs in MCP servers.

pub mod case;
pub mod config;
pub mod exchange;
pub mod input;
pub mod message;
pub mod outcome;
pub mod protocol;
pub mod session;
pub mod transport;
