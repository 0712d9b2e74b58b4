//! A client over HTTP that sends exactly what it is told to.

use crate::harness::Place;
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

pub(super) const MODERN: (&str, &str) = ("mcp-protocol-version", "2026-07-28");

/// A running `tooltest mcp --http`.
pub(super) struct Listening {
    pub(super) child: Child,
    /// Host and port.
    pub(super) address: String,
}

/// An answer as it came.
#[derive(Debug)]
pub(super) struct Reply {
    pub(super) status: u16,
    pub(super) head: String,
    pub(super) body: String,
}

impl Reply {
    /// The first JSON-RPC answer in the body, be it JSON or a stream of events.
    #[track_caller]
    pub(super) fn answer(&self) -> Value {
        let lines = self.body.lines().map(|line| line.strip_prefix("data:").unwrap_or(line).trim());
        lines
            .filter_map(|line| serde_json::from_str::<Value>(line).ok())
            .find(|message| message.get("result").is_some() || message.get("error").is_some())
            .unwrap_or_else(|| panic!("no answer in {self:?}"))
    }

    pub(super) fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| {
            let (found, value) = line.split_once(':')?;
            found.eq_ignore_ascii_case(name).then(|| value.trim())
        })
    }
}

impl Listening {
    pub(super) fn start(place: &Place, args: &[&str]) -> Self {
        Self::start_as(place.command(&[&["mcp", "--http", "--bind", "127.0.0.1:0"], args].concat()))
    }

    /// Starts a command line that listens at a free port and tells on standard error where.
    pub(super) fn start_as(mut command: Command) -> Self {
        let mut child = command.stderr(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let line = lines.next().expect("a line that says where").unwrap();
        let (_, url) = line.split_once("http://").unwrap_or_else(|| panic!("no address in {line}"));
        let address = url.trim_end_matches("/mcp").to_owned();
        // Nothing may block on a full pipe.
        std::thread::spawn(move || lines.for_each(drop));
        Self { child, address }
    }

    pub(super) fn url(&self) -> String {
        format!("http://{}/mcp", self.address)
    }

    pub(super) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(120))).unwrap();
        stream
    }

    /// Sends a request and leaves the connection open.
    pub(super) fn open(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> TcpStream {
        let mut head = format!("{method} {path} HTTP/1.1\r\nconnection: close\r\n");
        let usual = [
            ("host", self.address.as_str()),
            ("content-type", "application/json"),
            ("accept", "application/json, text/event-stream"),
        ];
        let is_given =
            |name: &str| headers.iter().any(|(given, _)| given.eq_ignore_ascii_case(name));
        for (name, value) in usual.iter().filter(|(name, _)| !is_given(name)).chain(headers) {
            head += name;
            head += ": ";
            head += value;
            head += "\r\n";
        }
        let length = body.len();
        let mut stream = self.connect();
        // The answer may come, and the connection end, before everything is sent.
        let _ = write!(stream, "{head}content-length: {length}\r\n\r\n{body}");
        stream
    }

    pub(super) fn send(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> Reply {
        read(self.open(method, path, headers, body))
    }

    /// A request of the revision without sessions.
    pub(super) fn modern(&self, name: &str, arguments: &Value) -> Value {
        let headers = [MODERN, ("mcp-method", "tools/call"), ("mcp-name", name)];
        self.send("POST", "/mcp", &headers, &modern_call(name, arguments).to_string()).answer()
    }

    /// Opens a session at 2025-11-25; its id.
    pub(super) fn session(&self) -> String {
        let hello = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
            "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}});
        let reply = self.send("POST", "/mcp", &[], &hello.to_string());
        let session = reply.header("mcp-session-id").expect("a session").to_owned();
        let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        let headers = [("mcp-session-id", session.as_str())];
        assert_eq!(self.send("POST", "/mcp", &headers, &ready.to_string()).status, 202);
        session
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Reads an answer until the connection ends.
pub(super) fn read(mut stream: TcpStream) -> Reply {
    let mut bytes = Vec::new();
    let ended = stream.read_to_end(&mut bytes);
    let text = String::from_utf8(bytes).unwrap();
    assert!(ended.is_ok() || !text.is_empty(), "{ended:?}");
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
    let status = head.split(' ').nth(1).and_then(|code| code.parse().ok()).unwrap_or(0);
    Reply { status, head: head.to_owned(), body: body.to_owned() }
}

/// A call within a session.
pub(super) fn call(tool: &str, arguments: &Value) -> Value {
    json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments}})
}

/// A call of the revision without sessions.
pub(super) fn modern_call(tool: &str, arguments: &Value) -> Value {
    let mut call = call(tool, arguments);
    call["params"]["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    call
}
