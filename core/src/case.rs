//! Cases: what is sent to a server, as data that can be shrunk, written to disk, read back and replayed.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A sequence of steps run on one fresh session. A single call is a sequence of one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Case {
    /// The phase that made the case.
    pub phase: Phase,
    /// The steps in order.
    pub steps: Vec<Step>,
}

/// The parts of a run, in the order in which they come.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Saved failures of earlier runs, run again.
    Replay,
    /// The lists and the handshake are judged; nothing is called.
    Lists,
    /// Schema examples, defaults and smallest inputs of each tool.
    Examples,
    /// Named edges of each parameter.
    Boundary,
    /// Random sequences in which later calls use earlier results.
    Stateful,
    /// Inputs that break the schema in one named way.
    Negative,
    /// Legal and illegal protocol messages outside of tool calls.
    Protocol,
    /// Calls sent together, judged against the same calls in sequence.
    Parallel,
}

/// One request of a case.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Step {
    /// What is sent.
    pub action: Action,
    /// Parts of the arguments that are taken from earlier results when the case runs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bindings: Vec<Binding>,
    /// What the schema says about the arguments.
    #[serde(default)]
    pub label: Label,
    /// Why the step is in the case.
    #[serde(default)]
    pub role: Role,
    /// Steps with the same number are sent together, before any of their answers is read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<u32>,
}

/// What a step sends.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "action", rename_all = "snake_case")]
pub enum Action {
    /// `tools/call`.
    CallTool {
        /// The tool's name.
        tool: String,
        /// The `arguments` member; `null` leaves it out.
        arguments: Value,
    },
    /// `resources/read`.
    ReadResource {
        /// The resource's URI.
        uri: String,
    },
    /// `prompts/get`.
    GetPrompt {
        /// The prompt's name.
        prompt: String,
        /// The `arguments` member: an object of strings.
        arguments: Value,
    },
    /// Any other request.
    Request {
        /// The method.
        method: String,
        /// The `params` member; `null` leaves it out.
        params: Value,
    },
}

impl Action {
    /// The tool called, if this is a tool call.
    pub fn tool(&self) -> Option<&str> {
        match self {
            Self::CallTool { tool, .. } => Some(tool),
            _ => None,
        }
    }

    /// The JSON value that bindings point into: `arguments` or `params`.
    pub fn arguments(&self) -> Option<&Value> {
        match self {
            Self::CallTool { arguments, .. } | Self::GetPrompt { arguments, .. } => Some(arguments),
            Self::Request { params, .. } => Some(params),
            Self::ReadResource { .. } => None,
        }
    }

    /// As [`Action::arguments`], to change it.
    pub fn arguments_mut(&mut self) -> Option<&mut Value> {
        match self {
            Self::CallTool { arguments, .. } | Self::GetPrompt { arguments, .. } => Some(arguments),
            Self::Request { params, .. } => Some(params),
            Self::ReadResource { .. } => None,
        }
    }
}

/// "The value at `at` is the one found at `from` in the answer to step `step`".
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Binding {
    /// JSON Pointer into the step's arguments (for `read_resource`: empty, the URI itself).
    pub at: String,
    /// Index of the earlier step.
    pub step: usize,
    /// Where in that step's answer the value is.
    pub from: Source,
}

/// Where a mined value is in an answer (or in the request that got it).
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "source", rename_all = "snake_case")]
pub enum Source {
    /// A JSON Pointer into the result object.
    Result {
        /// JSON Pointer, for example `/structuredContent/id`.
        pointer: String,
    },
    /// A JSON Pointer into the JSON text of a content block.
    TextJson {
        /// Index of the content block.
        block: usize,
        /// JSON Pointer into the parsed text.
        pointer: String,
    },
    /// A token of a content block's text.
    TextToken {
        /// Index of the content block.
        block: usize,
        /// Which kind of token, as the text miner names it (`uuid`, `hex`, `number`, `uri`, `path`, `word_number`, `quoted`, `labelled:NAME`).
        token: String,
        /// Which one of that kind, from 0.
        index: usize,
    },
    /// A JSON Pointer into the arguments that the earlier step sent.
    Argument {
        /// JSON Pointer, for example `/name`.
        pointer: String,
    },
}

/// What the schema says about a step's arguments, checked before they are sent.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "label", rename_all = "snake_case")]
pub enum Label {
    /// The schema could not be compiled, or the step is not a tool call.
    #[default]
    Unknown,
    /// Valid.
    Valid,
    /// Invalid in one named way.
    Invalid {
        /// JSON Pointer of the faulty value in the arguments.
        pointer: String,
        /// The schema keyword that it breaks.
        keyword: String,
        /// The mutation, in words.
        mutation: String,
    },
}

/// Why a step is in a case.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "role", rename_all = "snake_case")]
pub enum Role {
    /// An ordinary call.
    #[default]
    Call,
    /// A value at a named edge.
    Boundary {
        /// The edge, for example `minimum` or `longest string`.
        edge: String,
        /// JSON Pointer of the value.
        pointer: String,
    },
    /// The call under judgement of a metamorphic check.
    Subject {
        /// The check, by lint id.
        check: String,
    },
    /// A read of the state, to be compared with the other steps of the same name and equal `view`.
    Observe {
        /// The check, by lint id.
        check: String,
        /// Which observation: equal views send equal requests.
        view: u32,
    },
    /// A call that is cancelled before its answer is waited for.
    Cancelled {
        /// After how many milliseconds, if it is not answered by then.
        after_ms: u64,
    },
    /// A repetition of an earlier step's request.
    Repeat {
        /// The check, by lint id.
        check: String,
        /// Index of the step that is repeated.
        of: usize,
    },
}
