//! MCP mode: tooltest as an MCP server, so that an agent tests the server that it is writing.
//!
//! [`server`] answers requests, [`tools`] does the work, [`http`] is the way in over HTTP, behind [`guard`]; [`trust`] says what
//! a client may have started.

pub(crate) mod answer;
pub(crate) mod attach;
pub(crate) mod guard;
mod guide;
mod http;
mod leaving;
mod listener;
mod run;
mod schema;
mod serve;
mod server;
mod tools;
pub(crate) mod trust;

pub(crate) use guard::Guard;
pub(crate) use run::Runs;
pub(crate) use serve::{over_http, over_stdio};
pub(crate) use server::Server;
pub(crate) use trust::Trust;
