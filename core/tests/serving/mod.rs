//! A server in the test's own process: the loop that answers, and a run on it.

use serde_json::{Value, json};
use std::sync::Arc;
use tooltest_core::input::{InProcessTarget, Target};
use tooltest_core::session::Connector;
use tooltest_core::transport::MemoryPeer;
use tooltest_core::{RunOptions, RunResult, TooltestInput, run_blocking};

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

/// A run's input for a server in the test's own process: one seed, few calls, and nothing is kept.
pub(crate) fn input(name: &str, seed: u64, max_calls: u64) -> TooltestInput {
    let mut input =
        TooltestInput::new(Target::InProcess(InProcessTarget { name: name.to_owned() }));
    input.seed = Some(seed);
    input.max_calls = max_calls;
    input.failure_dir = String::new();
    input
}

/// Runs tooltest on such a server.
pub(crate) fn run(connector: impl Connector + 'static, input: TooltestInput) -> RunResult {
    let options = RunOptions { connector: Some(Arc::new(connector)), ..RunOptions::default() };
    run_blocking(input, &options).expect("the server starts")
}
