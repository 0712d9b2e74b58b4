//! The REST part as its documentation says.

use crate::harness::{Place, lives};
use crate::http::{self, send};
use serde_json::{Value, json};
use std::io::{BufReader, Read, Write};

#[test]
fn a_script_runs_and_its_answer_has_all_fields() {
    let text = "#!/bin/sh\nread line\necho \"$(pwd) $*\"\necho oops >&2\nexit 3\n";
    let place = Place::new(&[("sub/a.sh", text)]);
    let server = place.serve("sub/a.sh", |_| {});
    let request =
        json!({"path": "./sub/a.sh", "args": ["--port", " 080", "--name=x"], "timeout_ms": 60000});
    let answer = server.run(&request);
    assert_eq!(answer.status, 200);
    let mut result = answer.json();
    assert!(result["duration_ms"].take().is_u64());
    let folder = place.path("root/sub");
    let expected = json!({
        "exitCode": 3, "duration_ms": null, "stdout": format!("{} --port 80 --name=x\n", folder.display()),
        "stderr": "oops\n", "truncated": false, "logPath": place.path("log/runner-audit.jsonl"),
    });
    assert_eq!(result, expected);
    let line = place.logged("ok");
    assert_eq!(line["args"], json!(["--port", " 080", "--name=x"]), "as it was asked");
}

#[test]
fn a_time_out_tells_what_came_before() {
    let place = Place::new(&[("hang.sh", "#!/bin/sh\necho begun\nsleep 1000\n")]);
    let server = place.serve("hang.sh", |_| {});
    let answer = server.run(&json!({"path": "hang.sh", "timeout_ms": 1000}));
    assert_eq!((answer.status, answer.code().as_str()), (504, "E_TIMEOUT"));
    assert_eq!(answer.json()["error"]["stdout"], "begun\n");
    assert_eq!(place.logged("E_TIMEOUT")["path"], "hang.sh");
}

#[test]
fn a_caller_who_hangs_up_ends_the_script() {
    let place = Place::new(&[("wait.sh", "#!/bin/sh\necho $$ > id\nexec sleep 1000\n")]);
    let server = place.serve("wait.sh", |_| {});
    let body = "{\"path\": \"wait.sh\"}";
    let ask = format!(
        "POST /actions/run_script HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        server.address,
        body.len()
    );
    let caller = send(server.address, ask.as_bytes());
    let id = place.line_of("id");
    assert!(lives(&id));
    drop(caller);
    assert_eq!(place.log_of(1)[0]["result"], "E_EXEC");
    assert!(!lives(&id));
}

#[test]
fn the_list_has_the_scripts_with_their_arguments() {
    let place = Place::new(&[("a.sh", ""), ("b.sh", "")]);
    let server = place.serve("[\"b.sh\", \"a.sh\"]", |_| {});
    let args = json!(["--name", "--port"]);
    let expected = json!({"scripts": [{"path": "b.sh", "allowedArgs": args}, {"path": "a.sh", "allowedArgs": args}]});
    assert_eq!(server.post("/actions/list_allowed", &json!({})).json(), expected);
    let bare = http::request(server.address, "POST /actions/list_allowed", &[], "");
    assert_eq!(bare.json(), expected, "no body is an empty object");
    assert_eq!(server.post("/actions/list_allowed", &json!({"path": "a"})).code(), "E_BAD_ARG");
    assert_eq!(place.log().len(), 3);
}

#[test]
fn a_stream_tells_everything_line_by_line() {
    let text = "#!/bin/sh\nprintf 'one\\n\\nzwölf\\nno end'\necho oops >&2\nexit 4\n";
    let place = Place::new(&[("a.sh", text)]);
    let server = place.serve("a.sh", |_| {});
    let answer = server.get("/sse/run_script_stream?path=a.sh&args=--name&args=x&timeout_ms=60000");
    assert_eq!(answer.status, 200);
    assert!(answer.head.contains("content-type: text/event-stream"), "{}", answer.head);
    let mut events = answer.events();
    let (name, ping) = events.remove(0);
    assert!(name == "ping" && ping["t"].is_u64(), "{name} {ping}");
    let (name, end) = events.pop().unwrap();
    assert_eq!(
        (name.as_str(), &end["exitCode"], &end["truncated"]),
        ("end", &4.into(), &false.into())
    );
    let lines = |stream: &str| -> Vec<Value> {
        events
            .iter()
            .filter(|(name, _)| name == stream)
            .map(|(_, event)| event["line"].clone())
            .collect()
    };
    assert_eq!(lines("stdout"), ["one", "", "zwölf", "no end"]);
    assert_eq!(lines("stderr"), ["oops"]);
}

#[test]
fn a_stream_comes_while_the_script_runs() {
    let text = "#!/bin/sh\necho ready\nwhile ! [ -e go ]; do sleep 0.01; done\necho gone\n";
    let place = Place::new(&[("a.sh", text)]);
    let server = place.serve("a.sh", |_| {});
    let ask = format!(
        "GET /sse/run_script_stream?path=a.sh HTTP/1.1\r\nHost: {}\r\n\r\n",
        server.address
    );
    let mut stream = BufReader::new(send(server.address, ask.as_bytes()));
    http::head(&mut stream);
    let mut seen = String::new();
    while !seen.contains("ready") {
        seen += &String::from_utf8(http::chunk(&mut stream).unwrap()).unwrap();
    }
    // The script goes on only now, so the line came before its end.
    std::fs::write(place.path("root/go"), "").unwrap();
    while let Some(chunk) = http::chunk(&mut stream) {
        seen += &String::from_utf8(chunk).unwrap();
    }
    assert!(seen.contains("gone") && seen.contains("event: end"), "{seen}");
}

#[test]
fn the_server_says_that_it_lives_and_what_it_offers() {
    let place = Place::new(&[]);
    let server = place.serve("", |_| {});
    let expected = json!({"ok": true, "name": "tooltest", "version": env!("CARGO_PKG_VERSION")});
    assert_eq!(server.get("/healthz").json(), expected);
    let api = server.get("/openapi.json").json();
    assert_eq!(api["openapi"], "3.1.0");
    let paths: Vec<&String> = api["paths"].as_object().unwrap().keys().collect();
    for path in &paths {
        let method = api["paths"][path.as_str()].as_object().unwrap().keys().next().unwrap();
        let line = format!("{} {path}", method.to_uppercase());
        let status = http::request(server.address, &line, &[], "").status;
        assert!(status != 404 && status != 405, "{line}: {status}");
    }
}

#[test]
fn without_a_configuration_the_runner_is_off() {
    let place = Place::new(&[("a.sh", "#!/bin/sh\n")]);
    let server = place.serve("", |command| {
        command.env_remove("TSM_ALLOWED_ROOT").env_remove("TSM_ALLOWED_SCRIPTS");
    });
    let answer = server.run(&json!({"path": "a.sh"}));
    assert_eq!(answer.status, 404);
    assert!(answer.body.contains("[runner]"), "{}", answer.body);
    assert_eq!(server.get("/sse/run_script_stream?path=a.sh").status, 404);
    let tools = server.mcp("tools/list", json!({}));
    assert!(!tools.to_string().contains("run_script\""), "{tools}");
    assert_eq!(server.get("/healthz").status, 200);
}

#[test]
fn a_file_sets_the_runner_up_and_a_bad_one_is_explained() {
    let place = Place::new(&[("a.sh", "#!/bin/sh\necho fine\n")]);
    std::fs::write(
        place.path("tooltest.toml"),
        "[runner]\nallowed_root = \"root\"\nallowed_scripts = [\"a.sh\"]\nlog_dir = \"log\"\ntoken = \"key\"\n",
    )
    .unwrap();
    let only_file = |command: &mut std::process::Command| {
        for name in ["ALLOWED_ROOT", "ALLOWED_SCRIPTS", "ALLOWED_ARGS", "ENV_ALLOWLIST", "LOG_DIR"]
        {
            command.env_remove(format!("TSM_{name}"));
        }
    };
    let server = place.serve("", only_file);
    let json = ("Content-Type", "application/json");
    let body = "{\"path\": \"a.sh\"}";
    let line = "POST /actions/run_script";
    assert_eq!(http::request(server.address, line, &[json], body).status, 401);
    let key = [json, ("Authorization", "Bearer key")];
    assert_eq!(http::request(server.address, line, &key, body).json()["stdout"], "fine\n");
    assert_eq!(place.log().len(), 2);

    std::fs::write(place.path("tooltest.toml"), "[runner]\nallowed_root = \"nowhere\"\n").unwrap();
    let mut command = place.command("");
    only_file(&mut command);
    let done = command.args(["mcp", "--http"]).output().unwrap();
    assert_eq!(done.status.code(), Some(2));
    let message = String::from_utf8(done.stderr).unwrap();
    assert!(
        message.contains("`allowed_root` of the runner") && message.contains("no such file"),
        "{message}"
    );
}

#[test]
fn several_requests_on_one_connection_and_other_methods_are_answered() {
    let place = Place::new(&[]);
    let server = place.serve("", |_| {});
    let one = format!("GET /healthz HTTP/1.1\r\nHost: {}\r\n\r\n", server.address);
    let mut stream = send(server.address, one.as_bytes());
    let last = one
        .replace("/healthz", "/actions/run_script")
        .replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n");
    stream.write_all(last.as_bytes()).unwrap();
    let mut both = String::new();
    stream.read_to_string(&mut both).unwrap();
    assert!(both.starts_with("HTTP/1.1 200") && both.contains("HTTP/1.1 405"), "{both}");
}
