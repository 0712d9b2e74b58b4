//! The HTTP side as a client uses it.

use super::client::{document, fault};
use super::web::{Listening, MODERN, call, modern_call};
use crate::harness::Place;
use serde_json::json;

#[test]
fn both_eras_are_served_at_one_endpoint() {
    let server = Listening::start(&Place::new(), &[]);
    let modern = server.modern("explain_lint", &json!({"id": "no_crash"}));
    assert_eq!(document(&modern["result"])["id"], "no_crash");
    assert_eq!(modern["result"]["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "tooltest");
    let session = server.session();
    let headers = [("mcp-session-id", session.as_str()), ("mcp-protocol-version", "2025-11-25")];
    let body = call("explain_lint", &json!({"id": "no_crash"})).to_string();
    let legacy = server.send("POST", "/mcp", &headers, &body).answer();
    assert_eq!(document(&legacy["result"])["id"], "no_crash");
    assert_eq!(legacy["result"].get("_meta"), None);
    assert_eq!(server.send("POST", "/elsewhere", &headers, &body).status, 404);
}

#[test]
fn progress_comes_on_the_stream_of_the_call() {
    let server = Listening::start(&Place::new(), &[]);
    // It takes the connection and says nothing.
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let target = json!({"http": {"url": format!("http://{}/mcp", silent.local_addr().unwrap())}});
    let arguments = json!({"target": target, "startup_timeout": 2});
    let session = server.session();
    let legacy = [("mcp-session-id", session.as_str()), ("mcp-protocol-version", "2025-11-25")];
    let modern = [MODERN, ("mcp-method", "tools/call"), ("mcp-name", "tooltest")];
    let calls = [
        (legacy.as_slice(), call("tooltest", &arguments)),
        (modern.as_slice(), modern_call("tooltest", &arguments)),
    ];
    for (headers, mut call) in calls {
        let mut meta = call["params"]["_meta"].as_object().cloned().unwrap_or_default();
        meta.insert("progressToken".to_owned(), 7.into());
        call["params"]["_meta"] = meta.into();
        let reply = server.send("POST", "/mcp", headers, &call.to_string());
        assert!(fault(&reply.answer()["result"]).contains("2 s"), "{reply:?}");
        let (progress, answer) =
            (reply.body.find("\"progressToken\":7"), reply.body.find("\"result\""));
        assert!(progress.is_some() && progress < answer, "{reply:?}");
    }
}

#[test]
fn nothing_is_started_over_http_without_a_policy() {
    let place = Place::new();
    let server = Listening::start(&place, &[]);
    let stdio = json!({"stdio": {"command": "/bin/sh", "args": ["-c", "touch started"]}});
    for tool in ["tooltest", "lint"] {
        let answer = server.modern(tool, &json!({ "target": stdio }));
        assert!(fault(&answer["result"]).contains("[runner]"), "{answer}");
    }
    let http = json!({"http": {"url": "http://127.0.0.1:1/mcp"}});
    let hook = json!({"target": http, "pre_run_hook": ["/bin/sh", "-c", "touch started"]});
    let answer = server.modern("tooltest", &hook);
    assert!(fault(&answer["result"]).starts_with("pre_run_hook: "), "{answer}");
    let outside = json!({"target": http, "failure_dir": "../outside"});
    let answer = server.modern("tooltest", &outside);
    assert!(fault(&answer["result"]).starts_with("failure_dir: "), "{answer}");
    // A failure file names a command, too.
    place.on_demo(&["run", "--seed", "1", "--max-calls", "300", "--failure-dir", "saved"]);
    assert!(place.path("saved").is_dir());
    let answer = server.modern("replay", &json!({"files": ["saved"]}));
    assert!(fault(&answer["result"]).contains("[runner]"), "{answer}");
    let answer = server.modern("replay", &json!({"files": ["/etc/passwd"]}));
    assert!(fault(&answer["result"]).starts_with("files: "), "{answer}");
    assert!(!place.path("started").exists());
}

#[test]
fn exactly_the_given_address_is_bound() {
    let place = Place::new();
    let server = Listening::start(&place, &[]);
    assert!(server.address.starts_with("127.0.0.1:"), "{}", server.address);
    let taken = place.run(&["mcp", "--http", "--bind", &server.address]);
    taken.fails(2, &["--bind", &server.address]);
    place.run(&["mcp", "--stdio", "--http"]).fails(2, &["--stdio", "cannot be used with"]);
    place.run(&["mcp", "--bind", "127.0.0.1:0"]).fails(2, &["--http"]);
}

#[test]
fn termination_is_graceful() {
    let mut server = Listening::start(&Place::new(), &[]);
    let pid = server.child.id().to_string();
    assert!(std::process::Command::new("kill").args(["-TERM", &pid]).status().unwrap().success());
    assert!(server.child.wait().unwrap().success());
}
