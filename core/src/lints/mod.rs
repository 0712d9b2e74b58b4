//! Lints: everything that judges a server. One file a lint; this module holds what they share.
//!
//! To add a lint, write `lints/FOLDER/ID.rs` (copy a neighbour) and add its name to the list in `lints/FOLDER/mod.rs`.

mod context;
mod list;
mod meta;
mod problem;
mod registry;
mod response;
mod run;
mod session;
mod stateful;
mod suite;
mod transport;

pub use context::{CaseContext, Execution, ListContext, ProbeContext, ResponseContext, RunContext};
pub use meta::{Described, Hook, Level, LintPhase, Meta};
pub use problem::Problem;
pub use registry::{Entry, entries, entry};
pub use suite::{ParamsError, Setting, Suite};

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
