//! Where targets come from: the configuration files of MCP clients, URLs, command lines.
//!
//! Everything here is a pure function of text; reading files and environment variables is the caller's.

mod client;
mod comments;
mod expand;
mod words;
mod written;

pub use client::{ClientError, NamedTarget, parse_client_configuration, pick};
pub use expand::{ExpandError, expand};
pub use words::{UnclosedQuote, quote, split_words};
pub use written::read_target;
