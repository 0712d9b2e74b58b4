//! A server in the test's own process: the loop that answers.

use serde_json::{Value, json};
use tooltest_core::transport::MemoryPeer;

/// Answers one session. `call` gets a tool's name and arguments and gives the text of the answer, or that of a tool error; where it
/// gives nothing, the server ends.
pub(crate) fn serve(
    peer: &MemoryPeer,
    tools: &Value,
    mut call: impl FnMut(&str, &Value) -> Option<Result<String, String>>,
) {
    while let Ok(bytes) = peer.from_tester.recv() {
        let message: Value = serde_json::from_slice(&bytes).expect("the tester sends JSON");
        let Some(id) = message.get("id") else { continue };
        let params = &message["params"];
        let answer = match message["method"].as_str() {
            Some("initialize") => Ok(
                json!({"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": "served", "version": "1"}}),
            ),
            Some("tools/list") => Ok(tools.clone()),
            Some("tools/call") => {
                let name = params["name"].as_str().unwrap_or_default();
                let Some(answer) = call(name, &params["arguments"]) else { return };
                let failed = answer.is_err();
                let text = answer.unwrap_or_else(|text| text);
                Ok(json!({"content": [{"type": "text", "text": text}], "isError": failed}))
            }
            Some("ping") => Ok(json!({})),
            _ => Err(json!({"code": -32601, "message": "Method not found"})),
        };
        let message = match answer {
            Ok(result) => json!({"jsonrpc": "2.0", "id": id, "result": result}),
            Err(error) => json!({"jsonrpc": "2.0", "id": id, "error": error}),
        };
        if peer.to_tester.send(message.to_string().into_bytes()).is_err() {
            return;
        }
    }
}
