//! Reports: pure functions from a result to text, one format a file.

mod answer;
mod escape;
mod human;
mod json;
mod value;
mod words;

pub use human::{HumanOptions, Verbosity, render as human};
pub use json::render as json;
