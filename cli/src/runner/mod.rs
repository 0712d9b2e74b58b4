//! The guarded runner: runs the scripts that a policy names, for models whose sandbox cannot start the server they edit.
//!
//! [`policy`] says yes or no, [`execute`] runs, [`audit`] records, and [`service`] does the three in turn. The ways in are the
//! tools of MCP mode, the [`routes`] with their [`stream`], and the [`pages`].

mod arguments;
mod audit;
mod environment;
mod error;
mod execute;
mod group;
mod lines;
mod openapi;
pub(crate) mod pages;
mod policy;
mod routes;
mod service;
mod settings;
mod setup;
mod stream;

pub(crate) use audit::Attempt;
pub(crate) use error::{Code, Refusal};
pub(crate) use group::kill_all;
pub(crate) use policy::{Asked, ScriptRequest};
pub(crate) use routes::routes;
pub(crate) use service::{Failed, Listing, Runner, ScriptResult};
pub(crate) use setup::{decide, from_process};
