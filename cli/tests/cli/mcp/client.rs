//! A client on standard input and output.

use crate::harness::{Place, program};
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

/// A running `tooltest mcp` and the client's ends of its pipes.
pub(super) struct Client {
    pub(super) child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    /// Notifications that came while answers were waited for.
    pub(super) told: Vec<Value>,
    /// Answers to other requests than the one that was waited for.
    early: Vec<Value>,
}

impl Client {
    /// Starts the server in a folder and shakes hands at 2025-11-25.
    pub(super) fn start(place: &Place) -> Self {
        let mut client = Self::silent(place);
        let answer = client.request(
            "initialize",
            json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}),
        );
        assert_eq!(answer["result"]["protocolVersion"], "2025-11-25", "{answer}");
        client.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        client
    }

    /// Starts the server and says nothing.
    pub(super) fn silent(place: &Place) -> Self {
        let mut command = place.command(&["mcp", "--stdio"]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::inherit());
        let mut child = command.spawn().unwrap();
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().unwrap());
        Self { child, input, output, told: Vec::new(), early: Vec::new() }
    }

    pub(super) fn send(&mut self, message: &Value) {
        let input = self.input.as_mut().unwrap();
        writeln!(input, "{message}").unwrap();
        input.flush().unwrap();
    }

    /// Sends a request without waiting for its answer.
    pub(super) fn ask(&mut self, id: &str, method: &str, params: Value) {
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
    }

    /// Sends a call of a tool without waiting for its answer.
    pub(super) fn ask_tool(&mut self, id: &str, tool: &str, arguments: Value) {
        let params = json!({"name": tool, "arguments": arguments, "_meta": {"progressToken": format!("token of {id}")}});
        self.ask(id, "tools/call", params);
    }

    /// The answer to a request.
    pub(super) fn answer(&mut self, id: &str) -> Value {
        if let Some(at) = self.early.iter().position(|answer| answer["id"] == id) {
            return self.early.remove(at);
        }
        loop {
            let message = self.read().expect("an answer before the end");
            if message["id"] == id {
                return message;
            }
            let kept = if message.get("id").is_some() { &mut self.early } else { &mut self.told };
            kept.push(message);
        }
    }

    /// The next message; none at the end. Everything on standard output is one.
    pub(super) fn read(&mut self) -> Option<Value> {
        let mut line = String::new();
        if self.output.read_line(&mut line).unwrap() == 0 {
            return None;
        }
        let message: Value =
            serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"));
        assert_eq!(message["jsonrpc"], "2.0", "{line}");
        Some(message)
    }

    pub(super) fn request(&mut self, method: &str, params: Value) -> Value {
        self.ask("one", method, params);
        self.answer("one")
    }

    /// The result of a call.
    pub(super) fn call(&mut self, tool: &str, arguments: Value) -> Value {
        self.ask_tool("call", tool, arguments);
        let answer = self.answer("call");
        answer.get("result").cloned().unwrap_or_else(|| panic!("no result: {answer}"))
    }

    /// Closes the server's input.
    pub(super) fn leave(&mut self) {
        self.input = None;
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        self.input = None;
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The demo server as a target.
pub(super) fn demo(args: &[&str]) -> Value {
    let args = [&["demo", "--serve"], args].concat();
    json!({"stdio": {"command": program(), "args": args}})
}

/// The document of a call that is no error; its text says the same.
#[track_caller]
pub(super) fn document(result: &Value) -> &Value {
    assert_ne!(result["isError"], true, "{result}");
    let document = &result["structuredContent"];
    let text = result["content"][0]["text"].as_str().expect("a text");
    assert_eq!(serde_json::from_str::<Value>(text).unwrap(), *document);
    document
}

/// The text of a call that is an error.
#[track_caller]
pub(super) fn fault(result: &Value) -> &str {
    assert_eq!(result["isError"], true, "{result}");
    assert_eq!(result.get("structuredContent"), None);
    result["content"][0]["text"].as_str().expect("a text")
}
