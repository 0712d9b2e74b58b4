//! The guide to testing a server while writing it: a prompt and a resource with the same text.

use rmcp::ErrorData;
use rmcp::model::{
    GetPromptResult, Prompt, PromptMessage, ReadResourceResult, Resource, ResourceContents, Role,
};
use serde_json::json;

/// The guide.
const TEXT: &str = include_str!("guides/fix-loop.md");
const PROMPT: &str = "tooltest-fix-loop";
const URI: &str = "tooltest://guides/fix-loop";
const TITLE: &str = "Test a server and fix what is found";
const ABOUT: &str = "How to test an MCP server with tooltest and fix it, a few tools at a time, until nothing is found";

pub(super) fn prompt() -> Prompt {
    Prompt::new(PROMPT, Some(ABOUT), None).with_title(TITLE)
}

pub(super) fn get(name: &str) -> Result<GetPromptResult, ErrorData> {
    if name != PROMPT {
        let message = format!("name: there is no prompt `{name}`; there is `{PROMPT}`");
        return Err(ErrorData::invalid_params(message, None));
    }
    let message = PromptMessage::new_text(Role::User, TEXT);
    Ok(GetPromptResult::new(vec![message]).with_description(ABOUT))
}

pub(super) fn resource() -> Resource {
    Resource::new(URI, "fix-loop")
        .with_title(TITLE)
        .with_description(ABOUT)
        .with_mime_type("text/markdown")
        .with_size(TEXT.len() as u64)
}

pub(super) fn read(uri: &str) -> Result<ReadResourceResult, ErrorData> {
    if uri != URI {
        let message = format!("uri: there is no resource `{uri}`; there is `{URI}`");
        return Err(ErrorData::resource_not_found(message, Some(json!({ "uri": uri }))));
    }
    let contents = ResourceContents::text(TEXT, URI).with_mime_type("text/markdown");
    Ok(ReadResourceResult::new(vec![contents]))
}
