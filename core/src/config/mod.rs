//! `tooltest.toml`: which lints run, at which level, with which parameters.

mod error;

pub use error::ConfigError;
