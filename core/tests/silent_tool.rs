//! A tool that blocks its server costs the other tools nothing.

mod in_process;

use serde_json::{Value, json};
use tooltest_core::case::Phase;
use tooltest_core::{RunOptions, run_blocking};

fn answer(message: &Value) -> Value {
    let tool = |name: &str| json!({"name": name, "inputSchema": {"type": "object"}});
    match message["method"].as_str() {
        Some("initialize") => {
            json!({"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": "blocked", "version": "1"}})
        }
        Some("tools/list") => {
            json!({"tools": [tool("load_model"), tool("train_model"), tool("greet"), tool("part")]})
        }
        Some("tools/call")
            if message["params"]["name"].as_str().is_some_and(|name| name.ends_with("model")) =>
        {
            loop {
                std::thread::park();
            }
        }
        Some("tools/call") => json!({"content": [{"type": "text", "text": "done"}]}),
        _ => json!({}),
    }
}

#[test]
fn what_comes_after_a_call_without_an_answer_has_its_turn() {
    let connector = Some(in_process::server(answer));
    let mut input = in_process::input();
    input.phases = vec![Phase::Examples];
    input.request_timeout = 0.2;
    let result = run_blocking(input, &RunOptions { connector, ..RunOptions::default() });
    let result = result.expect("the server starts");
    let ok: Vec<u64> = result.coverage.iter().map(|tool| tool.ok).collect();
    assert_eq!(ok.len(), 4);
    assert!(ok[..2] == [0, 0] && ok[2] > 0 && ok[3] > 0, "{ok:?}");
}
