//! Reports: pure functions from a result to text, one format a file.

mod answer;
mod baseline;
mod escape;
mod format;
mod github;
mod html;
mod human;
mod json;
mod junit;
mod markdown;
mod merge;
mod ndjson;
mod repeats;
mod sarif;
mod text;
mod value;
mod words;

pub use baseline::{BASELINE_VERSION, Baseline, BaselineEntry};
pub use escape::{block as printable, json as printable_json};
pub use format::{Format, UnknownFormat};
pub use github::render as github;
pub use html::render as html;
pub use human::{
    HumanOptions, Verbosity, exchange, finding_text as human_finding, offer, render as human,
};
pub use json::render as json;
pub use junit::render as junit;
pub use markdown::render as markdown;
pub(crate) use merge::corpus as merge_corpus;
pub use merge::{MergeError, merge};
pub use ndjson::{line as ndjson, result as ndjson_result};
pub use sarif::render as sarif;
pub use words::phase as phase_name;
