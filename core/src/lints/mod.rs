//! Lints: everything that judges a server. One file a lint; this module holds what they share.
//!
//! # To add a lint
//!
//! 1. Choose the folder by what the lint looks at: `list/` (the handshake and the lists), `session/` and `transport/`
//!    (answers to probes of its own), `response/` (one exchange), `stateful/` (a whole case), `run/` (the finished record).
//! 2. Write `FOLDER/ID.rs`; the file's name is the lint's id. Copy a neighbour. The `lint!` macro holds the docs (first
//!    line: what is wrong; then, after an empty line, why it matters), the hook and default level, the parameters with
//!    their defaults, the specification's path, and what to do. Below it, implement the hook's method of [`Lint`]: look at
//!    the context and push a [`Problem`] for each distinct fault. Look at items one by one, so that one bad tool does not
//!    hide the next. Where something could not be observed, say nothing.
//! 3. In the same file, show a server that the lint flags and one that it leaves alone:
//!
//!    ```text
//!    #[cfg(test)]
//!    pub(super) fn examples() -> Examples {
//!        Examples::of(&ENTRY)
//!            .flags("3 tools", Scene::new().tool(json!({"name": "a"})) /* … */)
//!            .passes(Scene::new())
//!    }
//!    ```
//!    A `Scene` is a made-up server. Whatever the hook is, the scene builds the right context: `tool`, `item` and `page`
//!    fill the lists; `call`, `called` and `asked` give the exchange that a response lint judges; `answers` answers the
//!    requests of probes; `ran` is a case, `record` a finished run. `flags` wants exactly one problem, and words that its
//!    message has.
//! 4. Add the id to the list in `FOLDER/mod.rs`, in alphabetical order, and run `UPDATE=1 cargo test -p tooltest-tests
//!    generated`. The default `tooltest.toml`, its JSON Schema, the docs page and everything else follow from the registry.

mod answers;
mod content;
mod context;
mod docs;
#[cfg(test)]
mod examples;
mod faults;
mod list;
mod look;
mod meta;
mod meta_keys;
mod noise;
mod probes;
mod problem;
mod refusals;
mod registry;
mod response;
mod run;
#[cfg(test)]
pub(crate) mod scene;
mod session;
mod stateful;
mod suite;
mod traces;
mod transport;

pub use context::{
    CaseContext, Execution, ListContext, ProbeContext, ResponseContext, RunContext, Seen,
};
pub use docs::{explain, markdown};
pub use meta::{Described, Hook, Level, LintPhase, Meta};
pub use problem::Problem;
pub use registry::{Entry, entries, entry};
pub use suite::{ParamsError, Setting, Suite};
pub(crate) use traces::find_trace;

/// A judge of servers. Implement the one method that fits the lint's [`Hook`].
///
/// Lints are pure: context in, problems out; no state, no I/O, no clock.
pub trait Lint: Described + Send + Sync {
    /// Judges the handshake and the lists, before any tool call ([`Hook::List`]).
    fn list(&self, _context: &ListContext<'_>, _problems: &mut Vec<Problem>) {}

    /// Plans the messages that [`Lint::probed`] wants to see answered ([`Hook::Probe`]).
    fn probes(&self, _context: &ListContext<'_>) -> Vec<crate::probe::Probe> {
        Vec::new()
    }

    /// Judges the answers to this lint's own probes, in the order planned ([`Hook::Probe`]).
    fn probed(&self, _context: &ProbeContext<'_>, _problems: &mut Vec<Problem>) {}

    /// Judges one exchange ([`Hook::Response`]).
    fn response(&self, _context: &ResponseContext<'_>, _problems: &mut Vec<Problem>) {}

    /// Judges a whole case after its last step ([`Hook::Case`]).
    fn case(&self, _context: &CaseContext<'_>, _problems: &mut Vec<Problem>) {}

    /// Judges the finished record ([`Hook::Run`]).
    fn run(&self, _context: &RunContext<'_>, _problems: &mut Vec<Problem>) {}
}
