//! The commands, one a file.

pub(crate) mod call;
pub(crate) mod completions;
pub(crate) mod config;
pub(crate) mod demo;
pub(crate) mod diff;
pub(crate) mod lint;
pub(crate) mod lints;
pub(crate) mod list;
pub(crate) mod mcp;
pub(crate) mod replay;
pub(crate) mod report;
pub(crate) mod run;
