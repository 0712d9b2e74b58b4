//! `TooltestInput`: the one document that says what to test and how, shared by the CLI, MCP mode, Python and Node.

mod document;

use crate::case::Phase;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// What to test and how. Field names equal the CLI's long flags; every field but `target` has a default.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TooltestInput {
    /// The server to test.
    pub target: Target,
    /// `auto` (find out which era the server speaks) or a revision's date, for example `2025-11-25`.
    #[serde(default = "defaults::protocol_version")]
    pub protocol_version: String,
    /// Which phases to run; empty means all that the target's safety allows.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub phases: Vec<Phase>,
    /// How many stateful sequences to run at most; absent means as many as the budget allows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cases: Option<u64>,
    /// The shortest stateful sequence, in calls.
    #[serde(default = "defaults::min_sequence_len")]
    #[schemars(range(min = 1))]
    pub min_sequence_len: usize,
    /// The longest stateful sequence, in calls.
    #[serde(default = "defaults::max_sequence_len")]
    #[schemars(range(min = 1))]
    pub max_sequence_len: usize,
    /// Budget: calls, over all phases but shrinking.
    #[serde(default = "defaults::max_calls")]
    #[schemars(range(min = 1))]
    pub max_calls: u64,
    /// Budget: seconds for the whole run.
    #[serde(default = "defaults::time_limit")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub time_limit: f64,
    /// Seconds without an answer or progress after which a request counts as hanging.
    #[serde(default = "defaults::request_timeout")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub request_timeout: f64,
    /// Seconds that the server may take to start and answer its first request.
    #[serde(default = "defaults::startup_timeout")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub startup_timeout: f64,
    /// The seed of everything random; drawn and reported when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// Sessions run side by side (stdio: processes); 1 is fully deterministic.
    #[serde(default = "defaults::workers")]
    #[schemars(range(min = 1, max = 256))]
    pub workers: usize,
    /// Calls under way at once while a server that shows no state is screened; stdio only.
    #[serde(default = "defaults::in_flight")]
    #[schemars(range(min = 1, max = 64))]
    pub in_flight: usize,
    /// How arguments are found and what is recorded about them.
    #[serde(default)]
    pub state_machine_config: StateMachineConfig,
    /// Tools that may be called: names or globs; empty means all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tool_allowlist: Vec<String>,
    /// Tools that may not be called: names or globs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tool_blocklist: Vec<String>,
    /// Call only tools annotated `readOnlyHint: true`; absent means yes for HTTP targets that are not loopback.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read_only: Option<bool>,
    /// Call tools that may destroy something on a target where that is not the default.
    #[serde(default)]
    pub allow_destructive: bool,
    /// Answers with `isError: true` count as findings.
    #[serde(default)]
    pub in_band_error_forbidden: bool,
    /// Give each server process a private home, configuration and temporary folder.
    #[serde(default)]
    pub isolate: bool,
    /// A folder that is copied into each private home (with `isolate`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fixture_dir: Option<String>,
    /// A command (argv) run before each fresh session, to reset outside state.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pre_run_hook: Vec<String>,
    /// The user's own checks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub assertions: Vec<Assertion>,
    /// An explicit `tooltest.toml`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub config: Option<String>,
    /// Where failing cases are saved and replayed from; empty switches both off.
    #[serde(default = "defaults::failure_dir")]
    pub failure_dir: String,
    /// Stop at the first finding at level error.
    #[serde(default)]
    pub fail_fast: bool,
    /// Go on to call tools even when a list-phase lint found an error.
    #[serde(default)]
    pub keep_going: bool,
    /// Carry every request and response of each finding's case, not only the last ones.
    #[serde(default)]
    pub full_trace: bool,
    /// Tell for each tool without a real success what was tried.
    #[serde(default)]
    pub show_uncallable: bool,
    /// How many failed attempts to show for such a tool.
    #[serde(default = "defaults::uncallable_limit")]
    pub uncallable_limit: usize,
    /// Carry the trace of every call of the run in the result (memory grows with the run).
    #[serde(default)]
    pub trace_all: bool,
    /// Which part of the run to do, as `I/N`: the findings of all N parts together are those of the whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<String>,
}

/// The server to test.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Target {
    /// A command that speaks MCP on its standard input and output.
    Stdio(StdioTarget),
    /// A Streamable HTTP endpoint.
    Http(HttpTarget),
    /// An endpoint of the HTTP+SSE transport of 2024-11-05.
    Sse(HttpTarget),
    /// A server object in this process; the caller passes the connection beside the input.
    InProcess(InProcessTarget),
}

/// A command that speaks MCP on its standard input and output.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StdioTarget {
    /// The program.
    #[schemars(regex(pattern = r"\S"))]
    pub command: String,
    /// Its arguments.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub args: Vec<String>,
    /// Environment variables set besides the inherited ones.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub env: BTreeMap<String, String>,
    /// The working directory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cwd: Option<String>,
    /// `env` is the whole environment: nothing is inherited. No document sets it; a policy does that decides what may be started.
    #[serde(skip)]
    pub only_env: bool,
}

/// An HTTP endpoint.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HttpTarget {
    /// The URL, `http` or `https`.
    pub url: String,
    /// Headers sent with every request.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub headers: BTreeMap<String, String>,
    /// Sent as `Authorization: Bearer …`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub auth_token: Option<String>,
}

/// A server object in this process.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct InProcessTarget {
    /// How reports call it.
    #[serde(default)]
    pub name: String,
}

/// How arguments are found and what is recorded about them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct StateMachineConfig {
    /// Strings offered to string parameters.
    pub seed_strings: Vec<String>,
    /// Numbers offered to number parameters.
    pub seed_numbers: Vec<f64>,
    /// Values offered to one parameter: keys are `tool.parameter` or `parameter`.
    pub seed_values: BTreeMap<String, Vec<Value>>,
    /// Take values from the text of answers, too.
    pub mine_text: bool,
    /// Where values of required parameters may come from.
    pub lenient_sourcing: Sourcing,
    /// Tools that coverage lints look at: names or globs; empty means all.
    pub coverage_allowlist: Vec<String>,
    /// Tools that coverage lints leave out: names or globs.
    pub coverage_blocklist: Vec<String>,
    /// Put the corpus into the result.
    pub dump_corpus: bool,
    /// Emit an event for each value that enters the corpus.
    pub log_corpus_deltas: bool,
}

impl Default for StateMachineConfig {
    fn default() -> Self {
        Self {
            seed_strings: Vec::new(),
            seed_numbers: Vec::new(),
            seed_values: BTreeMap::new(),
            mine_text: true,
            lenient_sourcing: Sourcing::Auto,
            coverage_allowlist: Vec::new(),
            coverage_blocklist: Vec::new(),
            dump_corpus: false,
            log_corpus_deltas: false,
        }
    }
}

/// Where values of required parameters may come from.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Sourcing {
    /// What the server has shown first, the schema where that does not lead to a success.
    #[default]
    Auto,
    /// Only what the server has shown, or seeds.
    Strict,
    /// The schema as often as what the server has shown.
    Lenient,
}

/// A check of the user's own: a comparison of the value at a JSON Pointer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Assertion {
    /// What the finding is called; absent means the comparison in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Tools it is for: names or globs; empty means all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<String>,
    /// The document that the pointer points into.
    pub on: AssertionSubject,
    /// JSON Pointer, for example `/items/0/id`.
    pub pointer: String,
    /// The comparison, for example `{"equals": 3}`.
    pub expect: Expectation,
}

/// What an assertion's pointer points into.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AssertionSubject {
    /// The arguments of a call.
    Input,
    /// The result of a call.
    Output,
    /// The `structuredContent` of a call.
    StructuredOutput,
    /// The sequence so far: an array of `{tool, input, output, structured_output}`.
    Sequence,
}

/// The comparison of an assertion.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Expectation {
    /// The value is there (`true`) or not (`false`).
    Exists(bool),
    /// The value equals this one; numbers are compared by value.
    Equals(Value),
    /// The value does not equal this one.
    NotEquals(Value),
    /// The value is valid against this JSON Schema.
    Matches(Value),
}

/// The defaults of [`TooltestInput`], in one place.
mod defaults {
    pub(super) fn protocol_version() -> String {
        "auto".to_owned()
    }
    pub(super) const fn min_sequence_len() -> usize {
        40
    }
    pub(super) const fn max_sequence_len() -> usize {
        80
    }
    pub(super) const fn max_calls() -> u64 {
        1000
    }
    pub(super) const fn time_limit() -> f64 {
        60.0
    }
    pub(super) const fn request_timeout() -> f64 {
        10.0
    }
    pub(super) const fn startup_timeout() -> f64 {
        30.0
    }
    pub(super) const fn workers() -> usize {
        1
    }
    pub(super) const fn in_flight() -> usize {
        1
    }
    pub(super) fn failure_dir() -> String {
        ".tooltest/failures".to_owned()
    }
    pub(super) const fn uncallable_limit() -> usize {
        3
    }
}

impl TooltestInput {
    /// An input with every default, for `target`.
    pub fn new(target: Target) -> Self {
        Self {
            target,
            protocol_version: defaults::protocol_version(),
            phases: Vec::new(),
            cases: None,
            min_sequence_len: defaults::min_sequence_len(),
            max_sequence_len: defaults::max_sequence_len(),
            max_calls: defaults::max_calls(),
            time_limit: defaults::time_limit(),
            request_timeout: defaults::request_timeout(),
            startup_timeout: defaults::startup_timeout(),
            seed: None,
            workers: defaults::workers(),
            in_flight: defaults::in_flight(),
            state_machine_config: StateMachineConfig::default(),
            tool_allowlist: Vec::new(),
            tool_blocklist: Vec::new(),
            read_only: None,
            allow_destructive: false,
            in_band_error_forbidden: false,
            isolate: false,
            fixture_dir: None,
            pre_run_hook: Vec::new(),
            assertions: Vec::new(),
            config: None,
            failure_dir: defaults::failure_dir(),
            fail_fast: false,
            keep_going: false,
            full_trace: false,
            show_uncallable: false,
            uncallable_limit: defaults::uncallable_limit(),
            trace_all: false,
            shard: None,
        }
    }
}
