//! A tiny HTTP server whose every byte a test decides.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tooltest_core::input::{HttpTarget, Target};

/// A request as it came in.
#[derive(Debug, Clone)]
pub(crate) struct Request {
    pub(crate) line: String,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
    /// Which connection it came on, from 0.
    pub(crate) connection: usize,
}

impl Request {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(n, _)| n.eq_ignore_ascii_case(name)).map(|(_, v)| v.as_str())
    }

    pub(crate) fn is(&self, method: &str) -> bool {
        self.line.starts_with(&format!("{method} "))
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_default()
    }

    pub(crate) fn method(&self) -> String {
        self.json()["method"].as_str().unwrap_or_default().to_owned()
    }
}

/// What to do with the connection after a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum After {
    Keep,
    Close,
}

/// The server; it lives as long as the test process.
pub(crate) struct Server {
    pub(crate) url: String,
    pub(crate) requests: Arc<Mutex<Vec<Request>>>,
}

impl Server {
    pub(crate) fn start(
        handler: impl Fn(&Request, &mut TcpStream) -> After + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("the test server works");
        let url = format!("http://{}/mcp", listener.local_addr().expect("the test server works"));
        let requests = Arc::new(Mutex::new(Vec::new()));
        let (handler, log) = (Arc::new(handler), Arc::clone(&requests));
        std::thread::spawn(move || {
            for (number, stream) in listener.incoming().enumerate() {
                let (handler, log) = (Arc::clone(&handler), Arc::clone(&log));
                std::thread::spawn(move || {
                    serve(stream.expect("the test server works"), number, &*handler, &log)
                });
            }
        });
        Self { url, requests }
    }

    pub(crate) fn target(&self) -> Target {
        Target::Http(HttpTarget { url: self.url.clone(), ..HttpTarget::default() })
    }

    pub(crate) fn requests(&self) -> Vec<Request> {
        self.requests.lock().expect("the test server works").clone()
    }

    /// The first request of that JSON-RPC method; it may still be on its way.
    pub(crate) fn request(&self, method: &str) -> Request {
        for _ in 0..600 {
            let known = self.requests().into_iter().find(|request| request.method() == method);
            if let Some(request) = known {
                return request;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        panic!("no {method}")
    }
}

fn serve(
    mut stream: TcpStream,
    connection: usize,
    handler: &dyn Fn(&Request, &mut TcpStream) -> After,
    log: &Mutex<Vec<Request>>,
) {
    let mut reader = BufReader::new(stream.try_clone().expect("the test server works"));
    while let Some(mut request) = read_request(&mut reader) {
        request.connection = connection;
        log.lock().expect("the test server works").push(request.clone());
        if handler(&request, &mut stream) == After::Close {
            return;
        }
    }
}

fn read_request(reader: &mut BufReader<TcpStream>) -> Option<Request> {
    let mut next = || {
        let mut line = String::new();
        reader.read_line(&mut line).ok().filter(|count| *count > 0)?;
        Some(line.trim_end_matches(['\r', '\n']).to_owned())
    };
    let line = next()?;
    let mut headers = Vec::new();
    loop {
        let header = next()?;
        if header.is_empty() {
            break;
        }
        let (name, value) = header.split_once(':')?;
        headers.push((name.to_owned(), value.trim().to_owned()));
    }
    let mut request = Request { line, headers, body: Vec::new(), connection: 0 };
    let length = request.header("content-length").and_then(|n| n.parse().ok()).unwrap_or(0);
    request.body = vec![0; length];
    reader.read_exact(&mut request.body).ok()?;
    Some(request)
}

/// Sends a response with a body of known length.
pub(crate) fn reply(stream: &mut TcpStream, status: &str, headers: &str, body: &[u8]) {
    let head = format!("HTTP/1.1 {status}\r\n{headers}Content-Length: {}\r\n\r\n", body.len());
    // The tester may be gone already; that is its right.
    let _ = stream.write_all(&[head.as_bytes(), body].concat());
}

/// Sends a JSON message.
pub(crate) fn reply_json(stream: &mut TcpStream, status: &str, message: &Value) {
    reply(stream, status, "Content-Type: application/json\r\n", message.to_string().as_bytes());
}

/// A result for a request.
pub(crate) fn result(request: &Request, value: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": request.json()["id"], "result": value})
}

/// Answers what every session needs as a well-behaved server of 2025-11-25 with sessions; `None` for everything else.
pub(crate) fn handshake(request: &Request, stream: &mut TcpStream) -> Option<After> {
    match request.method().as_str() {
        "server/discover" => {
            reply(stream, "400 Bad Request", "Content-Type: text/plain\r\n", b"no session")
        }
        "initialize" => {
            let answer = result(
                request,
                json!({
                    "protocolVersion": request.json()["params"]["protocolVersion"],
                    "capabilities": {"tools": {}},
                    "serverInfo": {"name": "fixture", "version": "1"},
                }),
            );
            let headers = "Content-Type: application/json\r\nMcp-Session-Id: s-1\r\n";
            reply(stream, "200 OK", headers, answer.to_string().as_bytes());
        }
        method if method.starts_with("notifications/") => reply(stream, "202 Accepted", "", b""),
        "" if request.is("GET") => reply(stream, "405 Method Not Allowed", "", b""),
        "" if request.is("DELETE") => reply(stream, "204 No Content", "", b""),
        "ping" => reply_json(stream, "200 OK", &result(request, json!({}))),
        _ => return None,
    }
    Some(After::Keep)
}

/// Starts an event stream in chunks.
pub(crate) fn start_events(stream: &mut TcpStream) {
    let head =
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";
    let _ = stream.write_all(head.as_bytes());
}

/// Sends a piece of a chunked body; an empty one ends it.
pub(crate) fn chunk(stream: &mut TcpStream, text: &str) {
    let _ = stream.write_all(format!("{:x}\r\n{text}\r\n", text.len()).as_bytes());
    let _ = stream.flush();
}

/// An event that carries a message.
pub(crate) fn event(message: &Value) -> String {
    format!("event: message\ndata: {message}\n\n")
}
