//! Prompts: guides for agents, as Markdown files inside the program.

use rmcp::ErrorData;
use rmcp::model::{
    GetPromptRequestParams, GetPromptResult, Prompt, PromptArgument, PromptMessage, Role,
};
use serde_json::{Value, json};

/// What a client is told about the server when it connects.
pub(super) const INSTRUCTIONS: &str = "Terminal sessions with real programs. Make one with wsh_create_session, \
    type a line and read the answer with wsh_run_command, end it with wsh_manage_session. The prompt wsh:core \
    explains the loop; the other prompts explain special uses.";

struct Guide {
    name: &'static str,
    title: &'static str,
    description: &'static str,
    text: &'static str,
}

macro_rules! guide {
    ($name:literal, $title:literal, $description:literal) => {
        Guide {
            name: concat!("wsh:", $name),
            title: $title,
            description: $description,
            text: include_str!(concat!("../../prompts/", $name, ".md")),
        }
    };
}

const GUIDES: [Guide; 9] = [
    guide!("core", "The core loop", "Send, wait, read, decide: how to work with one session"),
    guide!(
        "drive-process",
        "Drive a process",
        "Build, test and answer questions of command line programs"
    ),
    guide!(
        "tui",
        "Full-screen programs",
        "Operate editors, pagers and menus with keys and screens"
    ),
    guide!("multi-session", "Several sessions", "Run things side by side without mixing them up"),
    guide!(
        "agent-orchestration",
        "Orchestrate agents",
        "Run other agents in sessions and direct them"
    ),
    guide!("monitor", "Monitor", "Watch long jobs and logs with few calls"),
    guide!(
        "visual-feedback",
        "Visual feedback",
        "Show people what you do with overlays and panels"
    ),
    guide!(
        "input-capture",
        "Capture input",
        "Keep typed input from the program and ask people instead"
    ),
    guide!("generative-ui", "Generative UI", "Draw small interfaces in the alternate layer"),
];

/// All guides.
pub(super) fn list() -> Vec<Prompt> {
    let session = PromptArgument::new("session")
        .with_description("The session to work in")
        .with_required(false);
    let prompt = |guide: &Guide| {
        Prompt::new(guide.name, Some(guide.description), Some(vec![session.clone()]))
            .with_title(guide.title)
    };
    GUIDES.iter().map(prompt).collect()
}

/// The text of one guide, and the session it is for if that was given.
pub(super) fn get(request: &GetPromptRequestParams) -> Result<GetPromptResult, ErrorData> {
    let guide = GUIDES.iter().find(|guide| guide.name == request.name).ok_or_else(|| {
        ErrorData::invalid_params(
            format!("unknown prompt: {}", request.name),
            Some(json!({"name": request.name})),
        )
    })?;
    let mut text = guide.text.to_owned();
    match request.arguments.as_ref().and_then(|arguments| arguments.get("session")) {
        Some(Value::String(session)) => {
            text.extend(["\nWork in the session named `", session, "`.\n"]);
        }
        Some(_) => return Err(ErrorData::invalid_params("session must be a string", None)),
        None => {}
    }
    Ok(GetPromptResult::new(vec![PromptMessage::new_text(Role::User, text)])
        .with_description(guide.description))
}
