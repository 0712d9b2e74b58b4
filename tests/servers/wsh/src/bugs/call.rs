//! A call as the bugs see it.

use std::sync::Arc;

use axum::http::request::Parts;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, JsonObject,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use crate::app::App;
use crate::session::{ElementId, Layer, Overlay, Panel, Session};

pub(super) type Answer = Result<CallToolResponse, ErrorData>;

/// A call to a tool, with the bug that is switched on.
pub(super) struct Call<'a> {
    pub(super) bug: &'static str,
    pub(super) app: &'a App,
    pub(super) tool: String,
    pub(super) arguments: JsonObject,
    /// Which MCP session over HTTP it came in, if any.
    pub(super) connection: Option<String>,
    pub(super) cancelled: CancellationToken,
    /// An answer that takes the place of the call.
    pub(super) early: Option<Answer>,
    /// What a bug keeps from before the call for after it.
    pub(super) kept: Kept,
}

#[derive(Default)]
pub(super) struct Kept {
    pub(super) overlays: Vec<Overlay>,
    pub(super) panel: Option<Panel>,
    pub(super) rows: u16,
    pub(super) focus: Option<ElementId>,
    pub(super) name: Option<String>,
    pub(super) value: Value,
}

impl<'a> Call<'a> {
    pub(super) fn new(
        bug: &'static str,
        app: &'a App,
        request: &CallToolRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> Self {
        let header =
            |parts: &Parts| Some(parts.headers.get("mcp-session-id")?.to_str().ok()?.to_owned());
        Self {
            bug,
            app,
            tool: request.name.to_string(),
            arguments: request.arguments.clone().unwrap_or_default(),
            connection: context.extensions.get::<Parts>().and_then(header),
            cancelled: context.ct.clone(),
            early: None,
            kept: Kept::default(),
        }
    }

    /// Notes that the faulty path runs.
    pub(super) fn trigger(&self) {
        super::trigger(self.bug);
    }

    /// Ends the process.
    pub(super) fn crash(&self) -> ! {
        super::crash(self.bug)
    }

    /// An argument as text, if it is one.
    pub(super) fn text(&self, name: &str) -> Option<&str> {
        self.arguments.get(name)?.as_str()
    }

    /// Whether an argument is given.
    pub(super) fn has(&self, name: &str) -> bool {
        self.arguments.get(name).is_some_and(|value| !value.is_null())
    }

    /// Whether a call to `wsh_overlay` or `wsh_panel` draws rather than lists.
    pub(super) fn draws(&self) -> bool {
        self.arguments.get("list") != Some(&Value::Bool(true))
    }

    /// Whether a call to `wsh_screen_mode` leaves the alternate layer.
    pub(super) fn leaves_alt(&self, session: &Session) -> bool {
        self.text("action") == Some("exit_alt") && session.elements().layer == Layer::Alt
    }

    /// The live session the call names.
    pub(super) fn session(&self) -> Option<Arc<Session>> {
        self.app.sessions.find(self.text("session")?).ok()
    }

    /// The request with the arguments as they are now.
    pub(super) fn request(&self, request: CallToolRequestParams) -> CallToolRequestParams {
        request.with_arguments(self.arguments.clone())
    }
}

/// The result that a successful call gave.
pub(super) fn success(answer: &mut Answer) -> Option<&mut CallToolResult> {
    match answer {
        Ok(CallToolResponse::Complete(result)) if result.is_error != Some(true) => Some(result),
        _ => None,
    }
}

/// The text of a refusal, if the answer is one.
pub(super) fn refusal(answer: &Answer) -> Option<&str> {
    match answer {
        Ok(CallToolResponse::Complete(result)) if result.is_error == Some(true) => {
            Some(&result.content.first()?.as_text()?.text)
        }
        _ => None,
    }
}

/// The structured content of a successful call.
pub(super) fn structured(answer: &mut Answer) -> Option<&mut Value> {
    success(answer)?.structured_content.as_mut()
}

/// A refusal with this text.
pub(super) fn refuse(text: impl Into<String>) -> CallToolResponse {
    CallToolResult::error(vec![ContentBlock::text(text.into())]).into()
}

/// Changes the structured content of a successful call, and its text with it.
pub(super) fn change(answer: &mut Answer, edit: impl FnOnce(&mut Value)) {
    if let Some(result) = success(answer)
        && let Some(value) = result.structured_content.as_mut()
    {
        edit(value);
        result.content = vec![ContentBlock::text(value.to_string())];
    }
}
