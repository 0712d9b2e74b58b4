//! What comes off the wire of a scene.

use crate::case::{Action, Label, Role, Step};
use crate::exchange::{Exchange, HttpExchange, Reply, RpcError};
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
