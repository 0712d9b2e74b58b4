//! What comes off the wire of a scene.

use crate::case::{Action, Label, Role, Step};
use crate::exchange::{Documents, Exchange, HttpExchange, Reply, RpcError};
use crate::message::{Channel, Frame};
use crate::protocol::{Era, Revision};
use crate::session::ServerIdentity;
use serde_json::{Value, json};
use std::time::Duration;

/// An HTTP response with that status and JSON (or nothing) as its body.
pub(crate) fn http(status: u16, body: &str) -> HttpExchange {
    let json = ("Content-Type".to_owned(), "application/json".to_owned());
    HttpExchange {
        status,
        headers: if body.is_empty() { Vec::new() } else { vec![json] },
        body: body.as_bytes().to_vec(),
        ended: true,
        ..HttpExchange::default()
    }
}

/// What an ordinary server of that revision says of itself.
pub(super) fn identity(revision: Revision, capabilities: Value) -> ServerIdentity {
    let info = json!({"name": "made-up", "version": "1.0.0"});
    let result = match revision.era() {
        Era::Legacy => json!({
            "protocolVersion": revision.as_str(), "capabilities": capabilities, "serverInfo": info
        }),
        Era::Modern => json!({
            "resultType": "complete", "supportedVersions": [revision.as_str()],
            "capabilities": capabilities, "ttlMs": 0, "cacheScope": "public",
            "_meta": {"io.modelcontextprotocol/serverInfo": info}
        }),
    };
    ServerIdentity {
        name: "made-up".to_owned(),
        version: "1.0.0".to_owned(),
        protocol_version: Some(revision.as_str().to_owned()),
        capabilities,
        instructions: None,
        opening: Some(Box::new(opening(revision, result))),
    }
}

/// The exchange that opens a session of that revision.
pub(super) fn opening(revision: Revision, result: Value) -> Exchange {
    let method = match revision.era() {
        Era::Legacy => "initialize",
        Era::Modern => "server/discover",
    };
    exchange(method, json!({}), Reply::Result(result))
}

/// An exchange with id 1 over a pipe.
pub(crate) fn exchange(method: &str, params: Value, reply: Reply) -> Exchange {
    let frame = match &reply {
        Reply::Result(result) => {
            let mut frame = frame(&json!({"jsonrpc": "2.0", "id": 1, "result": result}));
            // As in a real exchange, the result is in the reply alone.
            frame.value = Some(json!({"jsonrpc": "2.0", "id": 1, "result": null}));
            Some(frame)
        }
        Reply::Error(error) => Some(frame(&json!({"jsonrpc": "2.0", "id": 1, "error": error.raw}))),
        _ => None,
    };
    Exchange {
        method: method.to_owned(),
        params,
        id: json!(1),
        reply,
        frame,
        side: Vec::new(),
        http: None,
        rounds: Vec::new(),
        elapsed: Duration::from_millis(1),
        documents: Documents::default(),
    }
}

/// A frame with that JSON, read from a pipe.
pub(crate) fn frame(value: &Value) -> Frame {
    Frame {
        bytes: value.to_string().into_bytes().into(),
        value: Some(value.clone()),
        anomalies: Vec::new(),
        channel: Channel::Line,
    }
}

/// A JSON-RPC error.
pub(crate) fn error(code: i64, message: &str) -> Reply {
    Reply::Error(RpcError {
        code: Some(code),
        message: message.to_owned(),
        raw: json!({"code": code, "message": message}),
    })
}

/// A step that calls `tool`.
pub(crate) fn call_step(tool: &str, arguments: Value, label: Label) -> Step {
    Step {
        action: Action::CallTool { tool: tool.to_owned(), arguments },
        bindings: Vec::new(),
        label,
        role: Role::default(),
        group: None,
    }
}

/// A server of 2025-11-25 with a tool that can be called as a task, and was called.
pub(crate) fn task_server() -> super::Scene {
    let tool = json!({
        "name": "tool", "inputSchema": {"type": "object"}, "execution": {"taskSupport": "optional"},
    });
    super::Scene::new()
        .capabilities(json!({"tasks": {"requests": {"tools": {"call": {}}}}}))
        .tool(tool)
        .seen_call("tool", json!({}))
}

/// A server with the tasks extension, a tool of which was called.
pub(crate) fn task_server_e() -> super::Scene {
    super::Scene::at(Revision::V2026_07_28)
        .capabilities(json!({"extensions": {"io.modelcontextprotocol/tasks": {}}}))
        .seen_call("tool", json!({}))
}

/// A server whose list of tools may change and that takes subscriptions without a word.
pub(crate) fn listens() -> super::Scene {
    super::Scene::at(Revision::V2026_07_28)
        .capabilities(json!({"tools": {"listChanged": true}}))
        .answers(|_, _| Reply::Silence { responsive: true })
}

/// Changes a probe into one after which the server was silent.
pub(crate) fn silent_at_the_end(run: &mut crate::probe::ProbeRun) {
    if let Some(last) = run.steps.last_mut().and_then(|step| step.exchanges.first_mut()) {
        last.reply = Reply::Silence { responsive: false };
    }
}

/// A server of 2026-07-28 whose tool asked for input before.
pub(crate) fn asking_server() -> super::Scene {
    let round = json!({
        "resultType": "input_required", "requestState": "c3RhdGU",
        "inputRequests": {"a": {"method": "elicitation/create"}},
    });
    super::Scene::at(Revision::V2026_07_28).seen_question("tool", round)
}
