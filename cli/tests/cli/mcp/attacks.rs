//! Requests that must not get through.

use super::web::{Listening, MODERN, modern_call, read};
use crate::harness::Place;
use serde_json::json;
use std::io::{Read as _, Write as _};

fn list() -> String {
    modern_call("list_lints", &json!({})).to_string()
}

const CALL: [(&str, &str); 3] = [MODERN, ("mcp-method", "tools/call"), ("mcp-name", "list_lints")];

#[test]
fn pages_of_other_sites_and_rebound_names_are_refused() {
    let server = Listening::start(&Place::new(), &[]);
    let with = |header| {
        let headers: Vec<_> = CALL.into_iter().chain([header]).collect();
        server.send("POST", "/mcp", &headers, &list()).status
    };
    assert_eq!(with(("origin", "http://evil.example")), 403);
    assert_eq!(with(("origin", "null")), 403);
    assert_eq!(with(("host", "rebound.example")), 403);
    assert_eq!(with(("origin", "http://localhost:3000")), 200);
    assert_eq!(with(("accept", "application/json, text/event-stream")), 200);
}

#[test]
fn with_a_token_nothing_is_answered_without_it() {
    let place = Place::new();
    let mut command = place.command(&["mcp", "--http", "--bind", "127.0.0.1:0"]);
    command.env("TSM_TOKEN", "open sesame");
    let server = Listening::start_as(command);
    let with = |token: &str| {
        let headers: Vec<_> = CALL.into_iter().chain([("authorization", token)]).collect();
        server.send("POST", "/mcp", &headers, &list())
    };
    let refused = server.send("POST", "/mcp", &CALL, &list());
    assert_eq!(refused.status, 401);
    assert_eq!(refused.header("www-authenticate"), Some("Bearer"));
    for wrong in ["Bearer open sesam", "Bearer open sesame!", "Basic open sesame", "Bearer "] {
        assert_eq!(with(wrong).status, 401, "{wrong}");
    }
    assert_eq!(with("Bearer open sesame").status, 200);
    assert_eq!(server.send("GET", "/elsewhere", &[], "").status, 401);
}

#[test]
fn other_machines_need_a_token() {
    let place = Place::new();
    let open = place.run(&["mcp", "--http", "--bind", "0.0.0.0:0"]);
    open.fails(2, &["other machines", "needs a token", "--token"]);
}

#[test]
fn long_bodies_are_refused_however_they_are_sent() {
    let server = Listening::start(&Place::new(), &[]);
    let long = "x".repeat(1024 * 1024 + 1);
    assert_eq!(server.send("POST", "/mcp", &CALL, &long).status, 413);
    let mut stream = server.connect();
    let host = &server.address;
    let head = format!(
        "POST /mcp HTTP/1.1\r\nhost: {host}\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n"
    );
    let _ = write!(stream, "{head}{:x}\r\n{long}\r\n0\r\n\r\n", long.len());
    let mut start = [0; 12];
    stream.read_exact(&mut start).unwrap();
    assert_eq!(&start, b"HTTP/1.1 413");
}

#[test]
fn a_request_that_never_gets_ready_holds_nothing_up() {
    let server = Listening::start(&Place::new(), &[]);
    let mut slow = server.connect();
    slow.write_all(b"POST /mcp HTTP/1.1\r\nhost: ").unwrap();
    assert_eq!(server.send("POST", "/mcp", &CALL, &list()).status, 200);
    // The server gives up on it by itself.
    let mut rest = Vec::new();
    let _ = slow.read_to_end(&mut rest);
    assert!(rest.is_empty() || rest.starts_with(b"HTTP/1.1 408"), "{rest:?}");
}

#[test]
fn connections_are_counted() {
    let server = Listening::start(&Place::new(), &[]);
    let mut held: Vec<_> = (0..256).map(|_| server.connect()).collect();
    // Connections are taken in order, so this one comes after those.
    let refused = read(server.connect());
    assert_eq!(refused.status, 503);
    held.truncate(100);
    let served = (0..100).any(|_| {
        std::thread::sleep(std::time::Duration::from_millis(20));
        let mut stream = server.connect();
        let _ = write!(
            stream,
            "GET /elsewhere HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n\r\n",
            server.address
        );
        let mut bytes = Vec::new();
        let _ = stream.read_to_end(&mut bytes);
        bytes.starts_with(b"HTTP/1.1 404")
    });
    assert!(served, "places that are free again are used");
}
