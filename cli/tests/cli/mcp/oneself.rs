//! tooltest on itself: through its own MCP tool, and from the command line.

use super::client::{Client, document};
use super::web::Listening;
use crate::harness::{Place, program};
use serde_json::{Value, json};

const ERAS: [&str; 2] = ["2025-11-25", "2026-07-28"];

/// A run over the tools that start nothing.
fn input(target: Value, era: &str) -> Value {
    json!({
        "target": target, "protocol_version": era, "tool_blocklist": ["tooltest", "lint", "replay"],
        "seed": 5, "max_calls": 60, "time_limit": 60, "failure_dir": "",
    })
}

#[track_caller]
fn is_clean(result: &Value, era: &str) {
    let answer = document(result);
    assert_eq!(answer["outcome"], "passed", "{era}: {}", answer["findings"]);
    assert_eq!(answer["server"]["name"], "tooltest");
    assert_eq!(answer["server"]["revision"], era);
    let calls = |name: &str| {
        let tools = answer["coverage"].as_array().unwrap();
        let tool = tools.iter().find(|tool| tool["tool"] == name);
        tool.map_or(0, |tool| tool["calls"].as_u64().unwrap())
    };
    assert!(
        calls("list_lints") > 0 && calls("explain_lint") > 0 && calls("tooltest") == 0,
        "{answer}"
    );
}

#[test]
fn through_its_own_tool_over_stdio() {
    let place = Place::new();
    let mut client = Client::start(&place);
    for era in ERAS {
        let target = json!({"stdio": {"command": program(), "args": ["mcp"]}});
        is_clean(&client.call("tooltest", input(target, era)), era);
    }
}

#[test]
fn through_its_own_tool_over_http() {
    let place = Place::new();
    let (outer, inner) = (Listening::start(&place, &[]), Listening::start(&place, &[]));
    for era in ERAS {
        let target = json!({"http": {"url": inner.url()}});
        is_clean(&outer.modern("tooltest", &input(target, era))["result"], era);
    }
}

/// Runs the command on a target of its own kind, with all of its tools; nothing may be found at level error.
#[track_caller]
fn run_is_clean(target: &[&str]) {
    for era in ERAS {
        let place = Place::new();
        let options = [
            "run",
            "--protocol-version",
            era,
            "--json",
            "--seed",
            "7",
            "--max-calls",
            "100",
            "--time-limit",
            "60",
            "--failure-dir",
            "",
        ];
        let done = place.run(&[&options, target].concat());
        let result = done.json();
        assert_eq!(
            (done.code, &result["outcome"]),
            (0, &json!("passed")),
            "{era}: {}",
            result["findings"]
        );
        assert_eq!(result["server"]["revision"], era);
    }
}

#[test]
fn from_the_command_line_over_stdio() {
    let program = program().display().to_string();
    run_is_clean(&["--", program.as_str(), "mcp"]);
}

#[test]
fn from_the_command_line_over_http() {
    let place = Place::new();
    let server = Listening::start(&place, &[]);
    run_is_clean(&[server.url().as_str()]);
}

/// With values that nobody could guess, the tools that start servers succeed, too, and nothing is found.
#[test]
fn with_values_of_the_users_own() {
    let place = Place::new();
    place.on_demo(&["run", "--seed", "1", "--max-calls", "300", "--failure-dir", "saved"]);
    let saved = place.path("saved").display().to_string();
    let demo = super::client::demo(&["--fixed"]);
    let input = json!({
        "target": {"stdio": {"command": program(), "args": ["mcp"]}},
        "seed": 3, "max_calls": 80, "time_limit": 120, "request_timeout": 60, "failure_dir": "",
        "phases": ["examples", "stateful"],
        "state_machine_config": {"seed_values": {
            "target": [demo], "files": [[saved]], "explain_lint.id": ["no_crash"],
            "max_calls": [5], "time_limit": [2], "failure_dir": [""],
        }},
    });
    place.write("input.json", &input.to_string());
    let result = place.run(&["run", "--input", "input.json", "--json"]).json();
    assert_eq!(result["findings"], json!([]));
    let ok = |name: &str| {
        let tools = result["coverage"].as_array().unwrap();
        tools.iter().find(|tool| tool["tool"] == name).unwrap()["ok"].as_u64().unwrap()
    };
    for tool in ["tooltest", "lint", "replay", "explain_lint", "list_lints"] {
        assert!(ok(tool) > 0, "{tool}: {}", result["coverage"]);
    }
}
