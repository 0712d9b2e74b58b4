//! Beginning and end of the process, and lines that are no messages.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::process::{ChildStdin, ChildStdout, Command};

use crate::support::{SAFE, Started, command, start};

struct Raw {
    started: Started,
    input: Option<ChildStdin>,
    output: Lines<BufReader<ChildStdout>>,
    last_id: u64,
}

impl Raw {
    async fn start(args: &[&str]) -> Self {
        let mut started = start("mcp", args).await;
        let input = started.child.stdin.take();
        let output = BufReader::new(started.child.stdout.take().unwrap()).lines();
        let mut raw = Self { started, input, output, last_id: 0 };
        let params = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "raw", "version": "1"}});
        raw.request("initialize", params).await;
        raw.line(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#).await;
        raw
    }

    async fn line(&mut self, line: &str) {
        self.input.as_mut().unwrap().write_all(format!("{line}\n").as_bytes()).await.unwrap();
    }

    /// Sends a request and returns its answer. Whatever else comes before it must be a message too.
    async fn request(&mut self, method: &str, params: Value) -> Value {
        self.last_id += 1;
        self.line(
            &json!({"jsonrpc": "2.0", "id": self.last_id, "method": method, "params": params})
                .to_string(),
        )
        .await;
        loop {
            let line = self.output.next_line().await.unwrap().expect("an answer");
            let message: Value = serde_json::from_str(&line).unwrap();
            assert_eq!(message["jsonrpc"], "2.0");
            if message["id"] == self.last_id {
                return message;
            }
        }
    }

    async fn make_session(&mut self) -> u64 {
        let made = self
            .request("tools/call", json!({"name": "wsh_create_session", "arguments": {}}))
            .await;
        made["result"]["structuredContent"]["pid"].as_u64().unwrap()
    }
}

fn alive(pid: u64) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit_once(')').is_some_and(|(_, fields)| !fields.trim_start().starts_with('Z'))
}

async fn gone(pid: u64) {
    while alive(pid) {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

#[tokio::test]
async fn lines_that_are_no_messages_do_no_harm() {
    let mut raw = Raw::start(&SAFE).await;
    for line in [
        "{",
        "nonsense",
        "",
        "[]",
        "[1,2]",
        "42",
        "null",
        "\"x\"",
        "{}",
        r#"{"jsonrpc":"2.0"}"#,
        r#"{"id":1}"#,
    ] {
        raw.line(line).await;
        let answer = raw.request("tools/list", json!({})).await;
        assert_eq!(answer["result"]["tools"].as_array().unwrap().len(), 14, "after {line}");
    }
    raw.input.as_mut().unwrap().write_all(b"\xff\xfe\n").await.unwrap();
    raw.request("tools/list", json!({})).await;
}

#[tokio::test]
async fn closing_standard_input_ends_the_server_and_its_programs() {
    let mut raw = Raw::start(&SAFE).await;
    let pids = [raw.make_session().await, raw.make_session().await];
    assert!(pids.into_iter().all(alive));
    drop(raw.input.take());
    assert_eq!(raw.started.child.wait().await.unwrap().code(), Some(0));
    assert!(!pids.into_iter().any(alive));
}

#[tokio::test]
async fn programs_that_ignore_the_hang_up_end_too() {
    let mut raw = Raw::start(&[
        "--shell",
        "sh -c 'trap \"\" HUP TERM; sleep 1000 & while :; do sleep 1000; done'",
    ])
    .await;
    let pid = raw.make_session().await;
    assert!(alive(pid));
    drop(raw.input.take());
    assert_eq!(raw.started.child.wait().await.unwrap().code(), Some(0));
    gone(pid).await;
}

#[tokio::test]
async fn a_signal_ends_the_server_and_its_programs() {
    for how in ["mcp", "serve"] {
        let mut started = start(how, &SAFE).await;
        let made: Value = reqwest::Client::new()
            .post(format!("{}/sessions", started.base))
            .json(&json!({}))
            .send()
            .await
            .unwrap()
            .json()
            .await
            .unwrap();
        let pid = made["pid"].as_u64().unwrap();
        let server = started.child.id().unwrap().to_string();
        assert!(Command::new("kill").args(["-TERM", &server]).status().await.unwrap().success());
        assert_eq!(started.child.wait().await.unwrap().code(), Some(0), "{how}");
        gone(pid).await;
    }
}

#[tokio::test]
async fn standard_input_may_close_at_once() {
    let mut child = command("mcp", &SAFE).stdin(std::process::Stdio::null()).spawn().unwrap();
    assert_eq!(child.wait().await.unwrap().code(), Some(0));
}

#[tokio::test]
async fn killing_a_session_ends_what_it_started() {
    let mut raw = Raw::start(&["--shell", "sh", "--idle-ms", "300"]).await;
    let pid = raw.make_session().await;
    let run = json!({"name": "wsh_run_command", "arguments": {"session": "s1", "input": "(trap '' HUP; sleep 1000) & echo \"child=$!\""}});
    let answer = raw.request("tools/call", run).await;
    let text = answer["result"]["content"][0]["text"].as_str().unwrap();
    let child =
        regex::Regex::new(r"child=(\d+)").unwrap().captures(text).unwrap()[1].parse().unwrap();
    assert!(alive(child));
    raw.request(
        "tools/call",
        json!({"name": "wsh_manage_session", "arguments": {"session": "s1", "action": "kill"}}),
    )
    .await;
    gone(pid).await;
    gone(child).await;
}

#[tokio::test]
async fn bad_starts_are_told_on_standard_error() {
    for (args, reason) in [
        (vec!["serve", "--bind", "0.0.0.0:0"], "give a --token"),
        (vec!["serve", "--bind", "192.0.2.1:1", "--token", "x"], "cannot be bound"),
        (vec!["mcp", "--shell", "'"], "--shell"),
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_wsh")).args(&args).output().await.unwrap();
        assert_eq!(output.status.code(), Some(1), "{args:?}");
        assert!(output.stdout.is_empty());
        assert!(String::from_utf8_lossy(&output.stderr).contains(reason), "{args:?}");
    }
}
