//! The runner's tools in MCP mode, and its policy for servers to be tested.

use crate::harness::{Place, lives, program};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

#[test]
fn the_tools_are_listed_with_what_they_allow() {
    let place = Place::new(&[("a.sh", "#!/bin/sh\necho hello $1\n")]);
    let server = place.serve("a.sh", |_| {});
    let tools = server.mcp("tools/list", json!({}))["result"]["tools"].clone();
    let tool = |name: &str| {
        let tools = tools.as_array().unwrap();
        tools.iter().find(|tool| tool["name"] == name).unwrap().clone()
    };
    let run = tool("run_script");
    let about = |name: &str| {
        run["inputSchema"]["properties"][name]["description"].as_str().unwrap().to_owned()
    };
    assert!(about("path").ends_with("Allowed are: a.sh."), "{}", about("path"));
    assert!(about("args").ends_with("Allowed are: --name, --port."), "{}", about("args"));
    assert_eq!(run["inputSchema"]["required"], json!(["path"]));
    assert_eq!(run["annotations"]["destructiveHint"], true);
    assert_eq!(tool("list_allowed")["annotations"]["readOnlyHint"], true);

    let listed = server.call("list_allowed", &json!({}));
    assert_eq!(listed["structuredContent"]["scripts"][0]["path"], "a.sh");
    let done = server.call("run_script", &json!({"path": "a.sh", "args": ["--name=x"]}));
    assert_eq!(done["structuredContent"]["stdout"], "hello --name=x\n");
    assert_eq!(done["isError"], false);
    let log = place.log();
    assert_eq!(log.len(), 2);
    assert!(
        log[1]["requester"].as_str().unwrap().starts_with("attacker 1 at 127.0.0.1:"),
        "{}",
        log[1]
    );
}

#[test]
fn over_standard_input_and_output_the_tools_are_the_same() {
    let place = Place::new(&[("a.sh", "#!/bin/sh\necho hello\n")]);
    let mut child = place
        .command("a.sh")
        .arg("mcp")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let (mut input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    let mut lines = BufReader::new(output).lines();
    let mut ask = |id: u64, method: &str, params: Value| -> Value {
        let message = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        writeln!(input, "{message}").unwrap();
        serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap()
    };
    let client = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "client", "version": "2"}});
    ask(1, "initialize", client);
    let call = |name: &str, arguments: Value| json!({"name": name, "arguments": arguments});
    let done = ask(2, "tools/call", call("run_script", json!({"path": "a.sh"})));
    assert_eq!(done["result"]["structuredContent"]["stdout"], "hello\n", "{done}");
    let refused = ask(3, "tools/call", call("run_script", json!({"path": "/bin/sh"})));
    let text = refused["result"]["content"][0]["text"].as_str().unwrap();
    assert!(text.starts_with("E_FORBIDDEN: `/bin/sh` is not on the list"), "{text}");
    let log = place.log();
    assert_eq!(log.len(), 2);
    assert_eq!(log[1]["requester"], "client 2");
    drop(input);
    child.wait().unwrap();
}

#[test]
fn a_call_that_is_cancelled_ends_its_script() {
    let place = Place::new(&[("wait.sh", "#!/bin/sh\necho $$ > id\nexec sleep 1000\n")]);
    let mut child = place
        .command("wait.sh")
        .arg("mcp")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let client = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "client", "version": "2"}});
    let call = json!({"name": "run_script", "arguments": {"path": "wait.sh"}});
    for message in [
        json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": client}),
        json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
        json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": call}),
    ] {
        writeln!(input, "{message}").unwrap();
    }
    let id = place.line_of("id");
    assert!(lives(&id));
    let cancel =
        json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 2}});
    writeln!(input, "{cancel}").unwrap();
    assert_eq!(place.log_of(1)[0]["result"], "E_EXEC");
    assert!(!lives(&id));
    drop(input);
    child.wait().unwrap();
}

/// The arguments of a short run against a command.
fn target(stdio: Value) -> Value {
    json!({"target": {"stdio": stdio}, "max_calls": 5, "time_limit": 20, "failure_dir": ""})
}

#[test]
fn over_http_a_server_is_started_as_a_script_is() {
    let script = format!(
        "#!/bin/sh\necho \"$(pwd) $* $SECRET$MODE\" > started\nexec '{}' demo --serve\n",
        program().display()
    );
    let place = Place::new(&[("server.sh", script.as_str()), ("other.sh", script.as_str())]);
    let server = place.serve("server.sh", |_| {});
    let attacks = [
        (json!({"command": "other.sh"}), "E_FORBIDDEN"),
        (json!({"command": "sh", "args": ["-c", "touch root/ran"]}), "E_FORBIDDEN"),
        (json!({"command": program(), "args": ["demo", "--serve"]}), "E_FORBIDDEN"),
        (json!({"command": "server.sh", "args": ["--forbidden"]}), "E_BAD_ARG"),
        (json!({"command": "server.sh", "env": {"LD_PRELOAD": "x"}}), "E_POLICY"),
        (json!({"command": "server.sh", "cwd": "/"}), "E_POLICY"),
    ];
    for (index, (stdio, code)) in attacks.into_iter().enumerate() {
        for (again, tool) in ["tooltest", "lint"].into_iter().enumerate() {
            let mut arguments = target(stdio.clone());
            if tool == "lint" {
                arguments = json!({"target": arguments["target"]});
            }
            let result = server.call(tool, &arguments);
            let text = result["content"][0]["text"].as_str().unwrap();
            assert!(result["isError"] == true && text.contains(code), "{tool}: {stdio}: {text}");
            let log = place.log();
            assert_eq!(log.len(), 2 * index + again + 1, "{stdio}");
            assert_eq!(log.last().unwrap()["result"], code, "{stdio}");
            assert_eq!(log.last().unwrap()["tool"], "tooltest");
        }
    }
    assert!(!place.path("root/started").exists() && !place.path("root/ran").exists());

    let result = server.call(
        "tooltest",
        &target(json!({"command": "server.sh", "args": ["--port", "08"], "env": {"MODE": "m"}})),
    );
    assert_eq!(result["isError"], false, "{result}");
    assert!(result["structuredContent"]["outcome"].is_string(), "{result}");
    let started = format!("{} --port 8 m", place.path("root").display());
    assert_eq!(place.line_of("started"), started);
    assert_eq!(place.logged("ok")["path"], "server.sh");
}
