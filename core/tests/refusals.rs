//! What refusals say is used: tools that have to be called first, values that are allowed, endings of files, folders.

use serde_json::{Value, json};
use std::sync::Arc;
use tooltest_core::case::Phase;
use tooltest_core::input::{InProcessTarget, Target};
use tooltest_core::session::Connector;
use tooltest_core::transport::{MemoryChannel, MemoryPeer};
use tooltest_core::{RunOptions, TooltestInput, run_blocking};

/// A server that nobody can use who does not read its refusals.
struct Fussy;

impl Connector for Fussy {
    fn connect(&self) -> Result<MemoryChannel, String> {
        let (channel, peer) = MemoryChannel::pair();
        std::thread::spawn(move || serve(&peer));
        Ok(channel)
    }
}

fn tools() -> Value {
    let tool = |name: &str, parameters: &[&str]| {
        let properties: serde_json::Map<String, Value> =
            parameters.iter().map(|name| ((*name).to_owned(), json!({"type": "string"}))).collect();
        json!({"name": name, "inputSchema": {"type": "object", "properties": properties, "required": parameters}})
    };
    json!({"tools": [
        tool("add_card", &["title", "colour_scheme"]),
        tool("import_cards", &["file_path"]),
        tool("show_root", &[]),
        tool("write_note", &["note_path"]),
        tool("select_board", &["board"]),
    ]})
}

fn call(selected: &mut bool, name: &str, arguments: &Value) -> Result<String, String> {
    let text = |key: &str| arguments[key].as_str().ok_or_else(|| format!("{key} must be text"));
    if name == "select_board" {
        text("board")?;
        *selected = true;
        return Ok("selected".to_owned());
    }
    if !*selected {
        return Err("No board is set. Please use the 'select_board' tool first.".to_owned());
    }
    match name {
        "add_card" if !["dusk", "dawn"].contains(&text("colour_scheme")?) => {
            Err("Invalid colour_scheme. Must be one of: dusk, dawn".to_owned())
        }
        "import_cards" if !text("file_path")?.contains(".cards") => {
            Err("The file path must point to a file of cards (.cards)".to_owned())
        }
        "write_note" if !text("note_path")?.starts_with("/boards/one/") => {
            Err("access denied".to_owned())
        }
        "show_root" => Ok("Notes are kept in:\n/boards/one".to_owned()),
        _ => Ok("done".to_owned()),
    }
}

fn serve(peer: &MemoryPeer) {
    let mut selected = false;
    while let Ok(bytes) = peer.from_tester.recv() {
        let message: Value = serde_json::from_slice(&bytes).expect("the tester sends JSON");
        let Some(id) = message.get("id") else { continue };
        let params = &message["params"];
        let result = match message["method"].as_str() {
            Some("initialize") => {
                json!({"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": "fussy", "version": "1"}})
            }
            Some("tools/list") => tools(),
            Some("tools/call") => {
                let name = params["name"].as_str().unwrap_or_default();
                let answer = call(&mut selected, name, &params["arguments"]);
                let failed = answer.is_err();
                let text = answer.unwrap_or_else(|text| text);
                json!({"content": [{"type": "text", "text": text}], "isError": failed})
            }
            Some("ping") => json!({}),
            _ => {
                let error = json!({"code": -32601, "message": "Method not found"});
                let _ = send(peer, &json!({"jsonrpc": "2.0", "id": id, "error": error}));
                continue;
            }
        };
        if send(peer, &json!({"jsonrpc": "2.0", "id": id, "result": result})).is_err() {
            return;
        }
    }
}

fn send(peer: &MemoryPeer, message: &Value) -> Result<(), ()> {
    peer.to_tester.send(message.to_string().into_bytes()).map_err(|_| ())
}

#[test]
fn every_tool_of_a_server_that_explains_its_refusals_is_called_with_success() {
    for seed in 1..=3 {
        let target = Target::InProcess(InProcessTarget { name: "fussy".to_owned() });
        let mut input = TooltestInput::new(target);
        input.seed = Some(seed);
        input.max_calls = 400;
        input.failure_dir = String::new();
        // Nothing but whole messages, so that the server can stay small.
        input.phases = vec![Phase::Examples, Phase::Boundary, Phase::Stateful, Phase::Parallel];
        let options = RunOptions { connector: Some(Arc::new(Fussy)), ..RunOptions::default() };
        let result = run_blocking(input, &options).expect("the server starts");
        for tool in &result.coverage {
            assert!(tool.ok > 0, "seed {seed}: {} never worked", tool.tool);
        }
        let ok: u64 = result.coverage.iter().map(|tool| tool.ok).sum();
        assert!(ok * 4 > result.budget.calls, "seed {seed}: {ok} of {}", result.budget.calls);
        assert!(result.findings.is_empty(), "{:?}", result.findings);
    }
}
