//! What a call can fail with, and how MCP shows it.

use std::fmt;

use rmcp::{
    ErrorData,
    handler::server::tool::IntoCallToolResult,
    model::{CallToolResponse, CallToolResult, ContentBlock},
};
use serde_json::{Value, json};

/// Why a call was not carried out.
#[derive(Debug)]
pub(crate) enum Failure {
    /// No session has this name.
    UnknownSession(String),
    /// The call makes no sense as it was given.
    Invalid(String),
    /// The state of the session or the server forbids it.
    Conflict(String),
    /// Something inside the session does not exist.
    Missing(String),
    /// The server's owner does not allow it.
    Forbidden(String),
    /// A deadline passed; the value is what is known so far and fits the tool's output schema.
    Late { message: String, so_far: Option<Value> },
    /// The operating system refused.
    System(String),
}

impl Failure {
    /// A failed system call, with what was being done.
    pub(crate) fn system(doing: &str, error: impl fmt::Display) -> Self {
        Self::System(format!("{doing}: {error}"))
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownSession(name) => write!(f, "unknown session: {name}"),
            Self::Late { message, .. }
            | Self::Invalid(message)
            | Self::Conflict(message)
            | Self::Missing(message)
            | Self::Forbidden(message)
            | Self::System(message) => f.write_str(message),
        }
    }
}

impl IntoCallToolResult for Failure {
    fn into_call_tool_result(self) -> Result<CallToolResponse, ErrorData> {
        let text = self.to_string();
        match self {
            Self::UnknownSession(name) => {
                Err(ErrorData::invalid_params(text, Some(json!({"session": name}))))
            }
            Self::Late { so_far: Some(value), .. } => {
                Ok(CallToolResult::structured_error(value).into())
            }
            _ => Ok(CallToolResult::error(vec![ContentBlock::text(text)]).into()),
        }
    }
}
