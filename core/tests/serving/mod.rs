//! A server in the test's own process: the loop that answers.

use serde_json::{Value, json};
use tooltest_core::transport::MemoryPeer;

/// The texts of a call's answers, or those of tool errors: none where it stays without one, two where it gets two. `None` ends the
/// server.
pub(crate) type Answers = Option<Vec<Result<String, String>>>;

/// Answers one session. `call` gets a tool's name and arguments.
pub(crate) fn serve(
    peer: &MemoryPeer,
    tools: &Value,
    mut call: impl FnMut(&str, &Value) -> Answers,
) {
    while let Ok(bytes) = peer.from_tester.recv() {
        // What is no JSON, or no request, gets no answer.
        let Ok(message) = serde_json::from_slice::<Value>(&bytes) else { continue };
        let Some(id) = message.get("id") else { continue };
        let params = &message["params"];
        let answers = match message["method"].as_str() {
            Some("initialize") => vec![Ok(
                json!({"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": "served", "version": "1"}}),
            )],
            Some("tools/list") => vec![Ok(tools.clone())],
            Some("tools/call") => {
                let name = params["name"].as_str().unwrap_or_default();
                let Some(answers) = call(name, &params["arguments"]) else { return };
                answers.into_iter().map(|answer| Ok(told(answer))).collect()
            }
            Some("ping") => vec![Ok(json!({}))],
            _ => vec![Err(json!({"code": -32601, "message": "Method not found"}))],
        };
        for answer in answers {
            let message = match answer {
                Ok(result) => json!({"jsonrpc": "2.0", "id": id, "result": result}),
                Err(error) => json!({"jsonrpc": "2.0", "id": id, "error": error}),
            };
            if peer.to_tester.send(message.to_string().into_bytes()).is_err() {
                return;
            }
        }
    }
}

/// The result of a tool that says so.
fn told(answer: Result<String, String>) -> Value {
    let failed = answer.is_err();
    let text = answer.unwrap_or_else(|text| text);
    json!({"content": [{"type": "text", "text": text}], "isError": failed})
}
