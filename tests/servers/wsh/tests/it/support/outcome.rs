//! What a call came to.

use rmcp::ServiceError;
use rmcp::model::CallToolResult;
use serde_json::Value;

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Outcome {
    Ok(Value),
    ToolError { text: String, structured: Option<Value> },
    Rpc { code: i32, message: String },
}

impl Outcome {
    pub(crate) fn structured(&self) -> Option<&Value> {
        match self {
            Self::Ok(value) => Some(value),
            Self::ToolError { structured, .. } => structured.as_ref(),
            Self::Rpc { .. } => None,
        }
    }
}

impl From<Result<CallToolResult, ServiceError>> for Outcome {
    fn from(result: Result<CallToolResult, ServiceError>) -> Self {
        let result = match result {
            Ok(result) => result,
            Err(error) => {
                let (code, message) = rpc_error(error);
                return Self::Rpc { code, message };
            }
        };
        let text = result
            .content
            .iter()
            .filter_map(|block| block.as_text())
            .map(|text| text.text.as_str())
            .collect();
        if result.is_error == Some(true) {
            return Self::ToolError { text, structured: result.structured_content };
        }
        let value = result.structured_content.expect("all tools answer structured content");
        assert_eq!(
            serde_json::from_str::<Value>(&text).unwrap(),
            value,
            "the text mirrors the structured content"
        );
        Self::Ok(value)
    }
}

/// Code and message of an error the server answered.
pub(crate) fn rpc_error(error: ServiceError) -> (i32, String) {
    match error {
        ServiceError::McpError(error) => (error.code.0, error.message.into_owned()),
        other => panic!("no answer: {other}"),
    }
}
