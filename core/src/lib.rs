//! tooltest core: finds, shrinks and reports bugs in MCP servers.

pub mod case;
pub mod exchange;
pub mod generate;
pub mod glob;
pub mod input;
pub mod message;
pub mod outcome;
pub mod protocol;
pub mod schema;
pub mod session;
pub mod suggest;
pub mod transport;
