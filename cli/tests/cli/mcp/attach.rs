//! The snippets that attach tooltest.

use crate::harness::{Place, program};
use serde_json::json;

#[test]
fn snippets_start_this_program() {
    let place = Place::new();
    let command = program().display().to_string();
    let done = place.run(&["mcp", "--print-config", "vscode"]);
    let started = json!({"type": "stdio", "command": command, "args": ["mcp"]});
    assert_eq!(done.json(), json!({"servers": {"tooltest": started}}), "{done:?}");
    let done = place.run(&["mcp", "--print-config", "acp"]);
    assert_eq!(done.json()[0]["command"], command.as_str());
    let http = ["mcp", "--http", "--bind", "127.0.0.1:9000", "--print-config", "mcp-json"];
    let server = &place.run(&http).json()["mcpServers"]["tooltest"];
    assert_eq!(*server, json!({"type": "http", "url": "http://127.0.0.1:9000/mcp"}));
    place
        .run(&["mcp", "--print-config", "emacs"])
        .fails(2, &["claude, vscode, cursor, mcp-json, acp"]);
}

#[test]
fn what_is_printed_is_a_server_that_can_be_tested() {
    let place = Place::new();
    let snippet = place.run(&["mcp", "--print-config", "mcp-json"]).out;
    place.write(".mcp.json", &snippet);
    let listed = place.run(&["list", "--server", "tooltest", "--json"]);
    assert_eq!(listed.code, 0, "{listed:?}");
    assert!(listed.out.contains("\"explain_lint\""), "{}", listed.out);
}
