//! `RunResult`: the one document that a run hands back. A versioned projection, not a dump of internals.

use crate::case::Phase;
use crate::finding::Finding;
use crate::protocol::Revision;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// The version of the shape of [`RunResult`]; it changes when a field changes its meaning or goes.
pub const RESULT_SCHEMA_VERSION: u32 = 1;

/// What a run found out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RunResult {
    /// [`RESULT_SCHEMA_VERSION`].
    pub schema_version: u32,
    /// The version of tooltest.
    pub tooltest_version: String,
    /// The verdict.
    pub outcome: Outcome,
    /// Why the verdict is not `passed`, in a sentence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The server.
    pub server: ServerReport,
    /// Findings at level error, most telling first.
    pub findings: Vec<Finding>,
    /// Findings at level warning.
    pub warnings: Vec<Finding>,
    /// How each tool fared.
    pub coverage: Vec<ToolCoverage>,
    /// What was not judged, and why.
    pub not_measured: Vec<NotMeasured>,
    /// The phases as they ran.
    pub phases: Vec<PhaseReport>,
    /// What the run learned to use as arguments.
    pub corpus: CorpusReport,
    /// Times.
    pub timing: Timing,
    /// The seed that repeats the run.
    pub seed: u64,
    /// What was spent of the budget.
    pub budget: BudgetReport,
    /// Saved failures that were run again.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub replayed: Vec<ReplayReport>,
    /// What a baseline made of the findings, where one was used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub baseline: Option<BaselineReport>,
    /// What the server offers, as listed: `tools`, `resources`, `resourceTemplates`, `prompts`.
    pub offered: Value,
    /// The input with its secrets redacted.
    pub input: Value,
    /// Where the lint configuration came from: `built-in` or a path.
    pub config_source: String,
    /// Every call of the run, with `trace_all`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace: Option<Vec<Value>>,
}

/// What a baseline made of the findings of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BaselineReport {
    /// Findings that the baseline knows; they stand neither among the findings nor among the warnings.
    pub accepted: Vec<Finding>,
    /// Entries of the baseline that the run did not come upon.
    pub stale: Vec<crate::report::BaselineEntry>,
}

/// The verdict of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// Something was judged and no finding is at level error.
    Passed,
    /// At least one finding is at level error.
    Failed,
    /// No tool had a real success, so nothing was judged.
    Inconclusive,
    /// The user ended the run; the result holds what was found until then.
    Interrupted,
}

/// The server as it presented itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ServerReport {
    /// `serverInfo.name`.
    pub name: String,
    /// `serverInfo.version`.
    pub version: String,
    /// The revision in use.
    pub revision: Option<Revision>,
    /// `stdio`, `http`, `sse` or `in-process`.
    pub transport: String,
    /// The command or URL, secrets redacted.
    pub target: String,
    /// The declared capabilities.
    pub capabilities: Value,
    /// The last lines of standard error.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub stderr: String,
}

/// How a tool fared.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ToolCoverage {
    /// The tool.
    pub tool: String,
    /// Calls in all.
    pub calls: u64,
    /// Real successes: an answer that is neither an error nor error text.
    pub ok: u64,
    /// Answers with `isError: true`.
    pub tool_errors: u64,
    /// Error text without `isError: true`.
    pub soft_errors: u64,
    /// JSON-RPC errors.
    pub protocol_errors: u64,
    /// No answer, crash or malformed answer.
    pub broken: u64,
    /// Calls by what the schema says of the arguments: valid ones.
    pub valid: u64,
    /// Deliberately invalid ones.
    pub invalid: u64,
    /// Distinct kinds of answers seen.
    pub outcome_classes: u64,
    /// Why it was not called, or never succeeded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The most frequent errors of a tool that never succeeded, with how often each came.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<ErrorSample>,
    /// Latency in milliseconds.
    pub latency: Latency,
}

/// A frequent error of a tool.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ErrorSample {
    /// The error's text, cut.
    pub text: String,
    /// How often it came.
    pub count: u64,
    /// The arguments of one such call.
    pub arguments: Value,
}

/// Quantiles of the time to an answer, in milliseconds.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Latency {
    /// Median.
    pub p50: f64,
    /// 95th percentile.
    pub p95: f64,
    /// 99th percentile.
    pub p99: f64,
    /// Longest.
    pub max: f64,
    /// Counts in buckets whose upper bounds are 2^k × 0.125 ms, k = 0, 1, …
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub histogram: Vec<u64>,
}

/// Something that was not judged.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct NotMeasured {
    /// A tool, a phase or a check.
    pub subject: String,
    /// Why.
    pub reason: String,
    /// What would change that: a flag, a seed, an annotation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

/// A phase as it ran.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PhaseReport {
    /// The phase.
    pub phase: Phase,
    /// Cases run.
    pub cases: u64,
    /// Calls made.
    pub calls: u64,
    /// Why it did not run, if it did not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skipped: Option<String>,
}

/// What the run learned to use as arguments.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CorpusReport {
    /// Values that entered the corpus.
    pub values: u64,
    /// Learned links from a tool's answers to a tool's parameter, strongest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<CorpusLink>,
    /// The corpus itself, with `dump_corpus`: values by key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dump: Option<BTreeMap<String, Vec<Value>>>,
}

/// A learned link from answers to a parameter.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CorpusLink {
    /// `tool` and where in its answers.
    pub from: String,
    /// `tool.parameter`.
    pub to: String,
    /// Uses.
    pub uses: u64,
    /// Uses in calls that succeeded.
    pub ok: u64,
}

/// Times of a run.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Timing {
    /// Seconds in all.
    pub seconds: f64,
    /// Seconds until the first answer of the server.
    pub startup_seconds: f64,
    /// Calls per second over the phases.
    pub calls_per_second: f64,
    /// Seconds spent on confirming and shrinking.
    pub shrink_seconds: f64,
}

/// What was spent of the budget.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BudgetReport {
    /// Calls made over the phases.
    pub calls: u64,
    /// Calls made to confirm and shrink.
    pub shrink_calls: u64,
    /// Sessions opened.
    pub sessions: u64,
    /// What ended the run: `complete`, `calls`, `time`, `fail_fast`, `interrupted`, `lists`.
    pub ended_by: String,
}

/// A saved failure that was run again.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReplayReport {
    /// The failure file.
    pub file: String,
    /// The lint.
    pub lint: String,
    /// The tool, if one was at fault.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// Whether it is still there.
    pub status: ReplayStatus,
    /// Attempts and how many of them showed it.
    pub reproduction: crate::finding::Reproduction,
    /// What was seen, in a sentence.
    pub message: String,
}

/// Whether a saved failure is still there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReplayStatus {
    /// Every attempt showed it.
    Failing,
    /// Some attempts showed it.
    Flaky,
    /// No attempt showed it.
    Fixed,
    /// It could not be run: the tool is gone, the file is damaged, or the server did not start.
    Error,
}
