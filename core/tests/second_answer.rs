//! A tool whose calls are answered twice: it is the one that is blamed, and one call shows it.

use serde_json::{Value, json};
use std::sync::Arc;
use tooltest_core::input::{InProcessTarget, Target};
use tooltest_core::session::Connector;
use tooltest_core::transport::{MemoryChannel, MemoryPeer};
use tooltest_core::{RunOptions, TooltestInput, run_blocking};

struct Twice;

impl Connector for Twice {
    fn connect(&self) -> Result<MemoryChannel, String> {
        let (channel, peer) = MemoryChannel::pair();
        std::thread::spawn(move || serve(&peer));
        Ok(channel)
    }
}

fn serve(peer: &MemoryPeer) {
    while let Ok(bytes) = peer.from_tester.recv() {
        let Ok(message) = serde_json::from_slice::<Value>(&bytes) else { continue };
        let Some(id) = message.get("id") else { continue };
        let result = match message["method"].as_str() {
            Some("initialize") => {
                json!({"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": "twice", "version": "1"}})
            }
            Some("tools/list") => {
                let tool = |name: &str| json!({"name": name, "inputSchema": {"type": "object"}});
                json!({"tools": [tool("say_once"), tool("say_twice"), tool("say_again")]})
            }
            Some("tools/call") => json!({"content": [{"type": "text", "text": "hello"}]}),
            _ => json!({}),
        };
        let twice = message["params"]["name"] == "say_twice";
        let answer = json!({"jsonrpc": "2.0", "id": id, "result": result}).to_string().into_bytes();
        for _ in 0..if twice { 2 } else { 1 } {
            if peer.to_tester.send(answer.clone()).is_err() {
                return;
            }
        }
    }
}

#[test]
fn a_second_answer_is_blamed_on_the_call_that_got_it() {
    let mut input =
        TooltestInput::new(Target::InProcess(InProcessTarget { name: "twice".to_owned() }));
    input.seed = Some(1);
    input.max_calls = 60;
    input.failure_dir = String::new();
    let options = RunOptions { connector: Some(Arc::new(Twice)), ..RunOptions::default() };
    let result = run_blocking(input, &options).expect("the server starts");
    let found = result.findings.iter().filter(|finding| finding.lint == "response_unique");
    let told: Vec<_> = found
        .map(|finding| {
            let steps = finding.case.as_ref().map_or(0, |case| case.steps.len());
            (finding.tool.as_deref().unwrap_or_default(), steps)
        })
        .collect();
    assert_eq!(told, [("say_twice", 1)]);
}
