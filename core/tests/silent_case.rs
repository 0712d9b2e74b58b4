//! A call that gets no answer because of what came before it: the case in the report has that, and nothing else.

use serde_json::{Value, json};
use std::sync::Arc;
use tooltest_core::case::Phase;
use tooltest_core::input::{InProcessTarget, Target};
use tooltest_core::session::Connector;
use tooltest_core::transport::{MemoryChannel, MemoryPeer};
use tooltest_core::{RunOptions, TooltestInput, run_blocking};

/// A door that cannot be opened once it was locked: nobody ever answers.
struct Door;

impl Connector for Door {
    fn connect(&self) -> Result<MemoryChannel, String> {
        let (channel, peer) = MemoryChannel::pair();
        std::thread::spawn(move || serve(&peer));
        Ok(channel)
    }
}

fn serve(peer: &MemoryPeer) {
    let mut locked = false;
    while let Ok(bytes) = peer.from_tester.recv() {
        let Ok(message) = serde_json::from_slice::<Value>(&bytes) else { continue };
        let Some(id) = message.get("id") else { continue };
        let name = message["params"]["name"].as_str().unwrap_or_default();
        let result = match message["method"].as_str() {
            Some("initialize") => {
                json!({"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": "door", "version": "1"}})
            }
            Some("tools/list") => {
                let tool = |name: &str| json!({"name": name, "inputSchema": {"type": "object"}});
                let names = ["open_door", "lock_door", "ring_bell", "paint_door"];
                json!({"tools": names.map(tool)})
            }
            Some("tools/call") if name == "open_door" && locked => continue,
            Some("tools/call") => {
                locked |= name == "lock_door";
                json!({"content": [{"type": "text", "text": "done"}]})
            }
            _ => json!({}),
        };
        let answer = json!({"jsonrpc": "2.0", "id": id, "result": result});
        if peer.to_tester.send(answer.to_string().into_bytes()).is_err() {
            return;
        }
    }
}

#[test]
fn a_case_without_an_answer_holds_only_what_it_takes() {
    let mut input =
        TooltestInput::new(Target::InProcess(InProcessTarget { name: "door".to_owned() }));
    input.seed = Some(1);
    input.max_calls = 30;
    input.request_timeout = 3.0;
    input.failure_dir = String::new();
    input.phases = vec![Phase::Stateful];
    let options = RunOptions { connector: Some(Arc::new(Door)), ..RunOptions::default() };
    let result = run_blocking(input, &options).expect("the server starts");
    let silent = result.findings.iter().find(|finding| finding.lint == "call_timely");
    let case = silent.and_then(|finding| finding.case.as_ref()).expect("the call is told");
    let names: Vec<&str> = case.steps.iter().map(|step| step.name.as_str()).collect();
    assert_eq!(names, ["lock_door", "open_door"]);
}
