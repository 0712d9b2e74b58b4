//! Findings: what is wrong with a server, with the smallest case that shows it, as reports carry it.

use crate::case::{Binding, Label, Phase, Role};
use crate::exchange::Exit;
use crate::lints::Level;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// One distinct fault.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Finding {
    /// The lint's id.
    pub lint: String,
    /// How much it weighs.
    pub level: Level,
    /// The broken rule, for machines: equal for equal faults.
    pub code: String,
    /// 16 hexadecimal digits that tell findings apart: lint, tool and rule.
    pub fingerprint: String,
    /// The phase of the run that found it.
    pub phase: Phase,
    /// The tool at fault, if one is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// What is wrong.
    pub message: String,
    /// Why it matters.
    pub why: String,
    /// What to do.
    pub fix: String,
    /// The rule's source: a URL, or empty for a rule of tooltest's own.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub spec: String,
    /// A piece of evidence: raw bytes, a header, the last line of standard error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<String>,
    /// The smallest case, where calls show the fault.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub case: Option<CaseReport>,
    /// How often it came up during the run.
    pub seen: u64,
    /// Other tools with the same fault.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<String>,
    /// How often it came again on fresh sessions, where that was tried.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reproduction: Option<Reproduction>,
    /// How the server ended, where it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit: Option<Exit>,
    /// The saved failure file, if one was written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure_file: Option<String>,
    /// The command that runs the case again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replay: Option<String>,
}

/// How often a finding came again on fresh sessions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Reproduction {
    /// Attempts on a fresh session.
    pub attempts: u32,
    /// Attempts that showed the same finding.
    pub reproduced: u32,
}

impl Reproduction {
    /// Whether some attempts showed it and some did not, or none did.
    pub fn is_flaky(self) -> bool {
        self.reproduced < self.attempts
    }
}

/// A case with what was sent and received, for people.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CaseReport {
    /// The steps.
    pub steps: Vec<StepReport>,
    /// Index of the step at fault.
    pub failing_step: usize,
    /// Whether no step can be left out and no argument made simpler by the shrinker's means.
    pub minimal: bool,
    /// Executions that shrinking took.
    pub executions: u32,
    /// Steps before shrinking.
    pub original_steps: usize,
}

/// One step of a case, as it ran.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct StepReport {
    /// The JSON-RPC method.
    pub method: String,
    /// The tool, prompt or URI.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// The arguments as sent (secrets redacted).
    pub arguments: Value,
    /// The whole request, with `full_trace`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request: Option<Value>,
    /// The answer: the whole JSON-RPC message, or what is known instead (secrets redacted, long ones cut).
    pub response: Value,
    /// In a few words how it went: `ok`, `tool error`, `error -32603`, `no answer`, `crash` …
    pub outcome: String,
    /// Which values were taken from earlier answers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bindings: Vec<Binding>,
    /// What the schema says of the arguments.
    #[serde(default)]
    pub label: Label,
    /// Why the step is there.
    #[serde(default)]
    pub role: Role,
    /// Steps with the same number were sent together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<u32>,
    /// Milliseconds until the answer.
    pub elapsed_ms: f64,
}
