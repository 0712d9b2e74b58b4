//! A fault file: how one faulty server differs from a clean one, and what must be found.

use serde::Deserialize;
use serde_json::{Map, Value};

/// One faulty server.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Fault {
    /// What is wrong, in a sentence.
    pub about: String,
    /// Lints that must find something; with none, nothing at level error may be found.
    pub finds: Vec<String>,
    /// Members set in the tool `echo` (which takes `text` and answers it); a null removes one.
    pub tool: Map<String, Value>,
    /// Tools besides it.
    pub more_tools: Vec<Value>,
    /// Capabilities besides `tools`.
    pub capabilities: Map<String, Value>,
    /// Written to standard output before anything else.
    pub banner: Option<String>,
    /// What is done instead of answering as a clean server does; the first rule that fits counts.
    pub rules: Vec<Rule>,
}

/// What to do with some messages.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Rule {
    /// The method that it is about; `*` for all, `broken` for a line that is no JSON.
    pub to: String,
    /// Values by JSON Pointer into the message that must be there.
    pub when: Map<String, Value>,
    /// Messages of that kind that are still answered well.
    pub after: u64,
    /// Lines written before the answer.
    pub before: Vec<Value>,
    /// What stands for the answer; without it the answer is a clean server's.
    pub answer: Option<Answer>,
    /// Members set in the answer, by JSON Pointer; a null removes one.
    pub change: Map<String, Value>,
    /// Lines written after the answer.
    pub then: Vec<Value>,
}

/// What stands for an answer. `"$id"` in it becomes the id of the request, `"$token"` its progress token.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// A result.
    Result(Value),
    /// An error.
    Error(Value),
    /// A whole line, text or JSON.
    Line(Value),
    /// Nothing.
    Silence,
    /// The process ends with this code.
    Exit(i32),
    /// A line of that many bytes.
    Bytes(usize),
}
