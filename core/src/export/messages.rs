//! A failure as JSON-RPC messages.

use crate::case::{Action, Step};
use crate::failure::Failure;
use crate::protocol::{Era, Revision};
use serde_json::{Map, Value, json};
use std::fmt::Write as _;

/// The messages of the case, opening included, one a line.
pub(super) fn render(failure: &Failure) -> String {
    let mut out = String::new();
    let mut id = 0;
    for message in opening(failure.revision) {
        let _ = writeln!(out, "{message}");
        id += 1;
    }
    for step in &failure.case.steps {
        let _ = writeln!(out, "{}", request(failure.revision, step, id));
        id += 1;
    }
    out
}

/// What a client sends first.
pub(super) fn opening(revision: Revision) -> Vec<Value> {
    match revision.era() {
        Era::Modern => Vec::new(),
        Era::Legacy => vec![
            json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
                "protocolVersion": revision.as_str(), "capabilities": {}, "clientInfo": client(),
            }}),
            json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
        ],
    }
}

fn client() -> Value {
    json!({"name": "tooltest", "version": env!("CARGO_PKG_VERSION")})
}

/// A step as a request, with the values that it had when it was saved.
pub(super) fn request(revision: Revision, step: &Step, id: usize) -> Value {
    let (method, mut params) = method_and_params(&step.action);
    if revision.era() == Era::Modern {
        let members = params.as_object_mut().map(std::mem::take).unwrap_or_default();
        let mut all = Map::new();
        all.insert(
            "_meta".to_owned(),
            json!({
                "io.modelcontextprotocol/protocolVersion": revision.as_str(),
                "io.modelcontextprotocol/clientInfo": client(),
                "io.modelcontextprotocol/clientCapabilities": {},
            }),
        );
        all.extend(members);
        params = Value::Object(all);
    }
    let mut message = json!({"jsonrpc": "2.0", "id": id, "method": method});
    if !params.is_null() {
        message["params"] = params;
    }
    message
}

fn method_and_params(action: &Action) -> (&str, Value) {
    let named = |name: &str, arguments: &Value| match arguments {
        Value::Null => json!({ "name": name }),
        arguments => json!({"name": name, "arguments": arguments}),
    };
    match action {
        Action::CallTool { tool, arguments } => ("tools/call", named(tool, arguments)),
        Action::GetPrompt { prompt, arguments } => ("prompts/get", named(prompt, arguments)),
        Action::ReadResource { uri } => ("resources/read", json!({ "uri": uri })),
        Action::Request { method, params } => (method, params.clone()),
    }
}

/// Where a step's own arguments are in its request.
pub(super) const fn arguments_pointer(action: &Action) -> &'static str {
    match action {
        Action::CallTool { .. } | Action::GetPrompt { .. } => "/params/arguments",
        Action::ReadResource { .. } => "/params/uri",
        Action::Request { .. } => "/params",
    }
}
