//! Events: everything that happens in a run, in order, for progress displays and callbacks.

use crate::case::Phase;
use crate::finding::Finding;
use crate::result::Outcome;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

/// Something that happened in a run. The last event of every run is [`Event::RunFinished`].
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// The run has its plan.
    RunStarted {
        /// The command or URL, secrets redacted.
        target: String,
        /// The seed that repeats the run.
        seed: u64,
        /// Budget: calls.
        max_calls: u64,
        /// Budget: seconds.
        time_limit: f64,
    },
    /// The first session is open.
    ServerReady {
        /// The server's name.
        name: String,
        /// The server's version.
        version: String,
        /// The revision's date.
        revision: String,
        /// Tools, resources, templates and prompts listed.
        tools: usize,
        /// Resources listed.
        resources: usize,
        /// Prompts listed.
        prompts: usize,
    },
    /// A phase begins.
    PhaseStarted {
        /// The phase.
        phase: Phase,
    },
    /// A phase is over.
    PhaseFinished {
        /// The phase.
        phase: Phase,
        /// Calls made in it.
        calls: u64,
        /// Why it did not run, if it did not.
        skipped: Option<String>,
    },
    /// Calls were made since the last such event; sent a few times a second.
    Progress {
        /// The phase.
        phase: Phase,
        /// Calls so far.
        calls: u64,
        /// Seconds so far.
        seconds: f64,
        /// Distinct findings so far.
        findings: usize,
        /// What is being done, for example `shrinking get_task (5 steps left)`.
        doing: String,
    },
    /// A value entered the corpus (with `log_corpus_deltas`).
    CorpusGrew {
        /// The tool whose answer held it.
        tool: String,
        /// Its key.
        key: String,
        /// The value.
        value: Value,
    },
    /// A finding came up for the first time; its case may still shrink.
    FindingFound {
        /// The finding so far.
        finding: Box<Finding>,
        /// Calls made until then.
        calls: u64,
        /// Seconds until then.
        seconds: f64,
    },
    /// A finding has its final form.
    FindingShrunk {
        /// The finding.
        finding: Box<Finding>,
    },
    /// The server ended or was ended, and a new one is started.
    SessionRestarted {
        /// Why.
        reason: String,
    },
    /// The run is over.
    RunFinished {
        /// The verdict.
        outcome: Outcome,
        /// Findings at level error.
        findings: usize,
        /// Findings at level warning.
        warnings: usize,
        /// Calls made.
        calls: u64,
        /// Seconds taken.
        seconds: f64,
    },
}

/// Receives events while a run goes on; called from the run's own threads, one event at a time.
pub type Observer = std::sync::Arc<dyn Fn(&Event) + Send + Sync>;
