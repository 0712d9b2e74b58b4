//! A tool that fails whenever progress is asked for is told from one that fails always.

mod in_process;

use serde_json::{Value, json};
use tooltest_core::{RunOptions, run_blocking};

fn answer(message: &Value) -> Value {
    let params = &message["params"];
    match message["method"].as_str() {
        Some("initialize") => {
            json!({"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": "loader", "version": "1"}})
        }
        Some("tools/list") => {
            json!({"tools": [{"name": "load", "inputSchema": {"type": "object"}}, {"name": "refuse", "inputSchema": {"type": "object"}}]})
        }
        Some("tools/call") => {
            let asked = params["_meta"].get("progressToken").is_some();
            let failed = asked || params["name"] == "refuse";
            json!({"content": [{"type": "text", "text": if failed { "total is no number" } else { "loaded" }}], "isError": failed})
        }
        _ => json!({}),
    }
}

#[test]
fn a_tool_that_a_progress_token_breaks_is_found() {
    let connector = Some(in_process::server(answer));
    let mut input = in_process::input();
    input.max_calls = 40;
    let result = run_blocking(input, &RunOptions { connector, ..RunOptions::default() });
    let findings = result.expect("the server starts").findings;
    let found = findings.iter().filter(|finding| finding.lint == "progress_token_breaks_call");
    let tools: Vec<Option<&str>> = found.map(|finding| finding.tool.as_deref()).collect();
    assert_eq!(tools, [Some("load")]);
}
