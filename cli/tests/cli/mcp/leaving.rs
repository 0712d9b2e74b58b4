//! Clients that cancel, or go away: nothing that was started for them may stay.

use super::client::Client;
use super::web::{Listening, MODERN};
use crate::harness::{Place, program};
use serde_json::{Value, json};
use std::io::Read as _;
use std::net::TcpListener;
use std::thread::sleep;
use std::time::Duration;

/// A run that goes on for minutes, whose servers write their process ids into `pids`.
fn long_run() -> Value {
    let script = "echo $$ >> pids; exec \"$0\" demo --serve --fixed";
    json!({
        "target": {"stdio": {"command": "/bin/sh", "args": ["-c", script, program()]}},
        "max_calls": 10_000_000, "time_limit": 600, "failure_dir": "",
    })
}

/// Waits for something that must come about; without it the test never ends well.
#[track_caller]
fn wait(what: &str, is_so: impl Fn() -> bool) {
    for _ in 0..600 {
        if is_so() {
            return;
        }
        sleep(Duration::from_millis(50));
    }
    panic!("waited in vain until {what}");
}

fn started(place: &Place) -> Vec<u32> {
    let text = std::fs::read_to_string(place.path("pids")).unwrap_or_default();
    text.lines().filter_map(|line| line.parse().ok()).collect()
}

/// Whether a process has ended; one that only waits to be looked at counts as ended.
fn is_gone(pid: u32) -> bool {
    let mut list = std::process::Command::new("ps");
    let state = list.args(["-o", "stat=", "-p", &pid.to_string()]).output().unwrap().stdout;
    state.is_empty() || state.starts_with(b"Z")
}

#[track_caller]
fn all_gone(place: &Place) {
    wait("every server has ended", || started(place).into_iter().all(is_gone));
}

#[test]
fn cancelling_ends_the_run_and_its_processes() {
    let place = Place::new();
    let mut client = Client::start(&place);
    client.ask_tool("run", "tooltest", long_run());
    wait("a server has started", || !started(&place).is_empty());
    client.send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "run", "reason": "enough"}}));
    all_gone(&place);
    // The server goes on, and the run's answer is not sent.
    client.call("list_lints", json!({}));
    client.leave();
    while let Some(message) = client.read() {
        assert_ne!(message["id"], "run", "{message}");
    }
}

#[test]
fn a_client_that_closes_the_input_leaves_nothing() {
    let place = Place::new();
    let mut client = Client::start(&place);
    client.ask_tool("run", "tooltest", long_run());
    wait("a server has started", || !started(&place).is_empty());
    client.leave();
    assert!(client.child.wait().unwrap().success());
    all_gone(&place);
}

#[test]
fn termination_is_graceful_and_leaves_nothing() {
    let place = Place::new();
    let mut client = Client::start(&place);
    client.ask_tool("run", "tooltest", long_run());
    wait("a server has started", || !started(&place).is_empty());
    let pid = client.child.id().to_string();
    assert!(std::process::Command::new("kill").args(["-TERM", &pid]).status().unwrap().success());
    assert!(client.child.wait().unwrap().success());
    all_gone(&place);
}

#[test]
fn even_a_killed_tooltest_leaves_nothing() {
    let place = Place::new();
    let mut client = Client::start(&place);
    client.ask_tool("run", "tooltest", long_run());
    wait("a server has started", || !started(&place).is_empty());
    client.child.kill().unwrap();
    all_gone(&place);
}

#[test]
fn short_answers_are_given_even_when_the_input_has_ended() {
    let place = Place::new();
    let mut client = Client::start(&place);
    client.ask("lints", "tools/call", json!({"name": "list_lints", "arguments": {}}));
    client.leave();
    assert!(client.answer("lints")["result"]["structuredContent"]["lints"].is_array());
    assert!(client.child.wait().unwrap().success());
}

/// Starts a run against a server that never answers, breaks the connection to tooltest, and waits until the run is gone.
fn breaks_off(headers: &[(&str, &str)], call: impl Fn(&Value) -> Value, server: &Listening) {
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/mcp", silent.local_addr().unwrap());
    let arguments = json!({"target": {"http": {"url": url}}, "startup_timeout": 600, "request_timeout": 600, "time_limit": 600});
    let connection = server.open("POST", "/mcp", headers, &call(&arguments).to_string());
    let (mut from_run, _) = silent.accept().unwrap();
    drop(connection);
    // The run's connection ends, or a new one is not made: then there is nothing more to read.
    from_run.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    let mut rest = Vec::new();
    from_run.read_to_end(&mut rest).expect("the run ends");
}

#[test]
fn over_http_a_broken_connection_is_the_end_without_sessions() {
    let server = Listening::start(&Place::new(), &[]);
    let headers = [MODERN, ("mcp-method", "tools/call"), ("mcp-name", "tooltest")];
    breaks_off(&headers, |arguments| super::web::modern_call("tooltest", arguments), &server);
}

#[test]
fn over_http_a_client_of_a_session_may_come_back_but_not_stay_away() {
    let server = Listening::start(&Place::new(), &[]);
    let session = server.session();
    let headers = [("mcp-session-id", session.as_str()), ("mcp-protocol-version", "2025-11-25")];
    breaks_off(&headers, |arguments| super::web::call("tooltest", arguments), &server);
}

#[test]
fn over_http_the_end_of_the_session_ends_its_runs() {
    let server = Listening::start(&Place::new(), &[]);
    let session = server.session();
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/mcp", silent.local_addr().unwrap());
    let arguments =
        json!({"target": {"http": {"url": url}}, "startup_timeout": 600, "time_limit": 600});
    let headers = [("mcp-session-id", session.as_str()), ("mcp-protocol-version", "2025-11-25")];
    let body = super::web::call("tooltest", &arguments).to_string();
    let kept = server.open("POST", "/mcp", &headers, &body);
    let (mut from_run, _) = silent.accept().unwrap();
    let ended = server.send("DELETE", "/mcp", &headers, "");
    assert!(ended.status < 300, "{ended:?}");
    from_run.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    from_run.read_to_end(&mut Vec::new()).expect("the run ends");
    assert_eq!(server.send("POST", "/mcp", &headers, &body).status, 404);
    drop(kept);
}
