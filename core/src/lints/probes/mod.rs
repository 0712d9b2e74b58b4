//! Probes and their parts, as lints plan them.

mod answers;
mod auth;
mod http;
mod listen;
mod messages;
mod opening;
mod parts;
mod questions;
mod stateless;
mod tasks;

pub(super) use answers::*;
pub(super) use auth::*;
pub(super) use http::*;
pub(super) use listen::*;
pub(super) use messages::*;
pub(super) use opening::*;
pub(super) use parts::*;
pub(super) use questions::*;
pub(super) use stateless::*;
pub(super) use tasks::*;
