//! Attacks: each is refused, and each is on record.

use crate::harness::{Place, lives, wait_for};
use crate::http::{self, read, send};
use serde_json::{Value, json};
use std::io::BufReader;
use std::os::unix::fs::symlink;

const TOUCH: &str = "#!/bin/sh\necho ran > ran\n";

/// Requests that a policy refuses, with the code that they get.
fn forbidden(place: &Place) -> Vec<(Value, &'static str)> {
    let arg = |arg: &str| json!({"path": "touch.sh", "args": [arg]});
    let env = |name: &str| json!({"path": "touch.sh", "env": {name: "/tmp/x"}});
    vec![
        (json!({"path": "../touch.sh"}), "E_FORBIDDEN"),
        (json!({"path": "x/../../touch.sh"}), "E_FORBIDDEN"),
        (json!({"path": place.path("outside.sh")}), "E_FORBIDDEN"),
        (json!({"path": "leaves.sh"}), "E_FORBIDDEN"),
        (json!({"path": "unlisted.sh"}), "E_FORBIDDEN"),
        (json!({"path": "touch.sh\u{0}"}), "E_FORBIDDEN"),
        (arg("--name=x --forbidden"), "E_BAD_ARG"),
        (arg("--forbidden"), "E_BAD_ARG"),
        (json!({"path": "touch.sh", "args": ["--name=x", "--forbidden"]}), "E_BAD_ARG"),
        (arg("--name=x;touch ran"), "E_BAD_ARG"),
        (arg("--name=$(touch ran)"), "E_BAD_ARG"),
        (arg("--name=x\ntouch ran"), "E_BAD_ARG"),
        (arg("--name=x\u{0}y"), "E_BAD_ARG"),
        (arg("--port=65536"), "E_BAD_ARG"),
        (json!({"path": "touch.sh", "timeout_ms": 0}), "E_BAD_ARG"),
        (json!({"path": "touch.sh", "shell": true}), "E_BAD_ARG"),
        (json!({"path": ["touch.sh"]}), "E_BAD_ARG"),
        (env("LD_PRELOAD"), "E_POLICY"),
        (env("PATH"), "E_POLICY"),
        (env("MODE=x\nPATH"), "E_POLICY"),
    ]
}

fn place() -> Place {
    let scripts = [("touch.sh", TOUCH), ("unlisted.sh", TOUCH), ("x/y", "")];
    let place = Place::new(&scripts);
    std::fs::write(place.path("outside.sh"), TOUCH).unwrap();
    symlink("../outside.sh", place.path("root/leaves.sh")).unwrap();
    place
}

/// The request as the query of a stream, where it can be one.
fn query(request: &Value) -> Option<String> {
    let encode = |text: &str| -> String {
        text.bytes().fold(String::new(), |text, byte| format!("{text}%{byte:02x}"))
    };
    let mut parts = vec![format!("path={}", encode(request["path"].as_str()?))];
    if let Some(args) = request.get("args") {
        parts.push(format!("args={}", encode(&args.to_string())));
    }
    if let Some(timeout) = request.get("timeout_ms") {
        parts.push(format!("timeout_ms={timeout}"));
    }
    let is_whole = request.get("env").is_none() && request.get("shell").is_none();
    is_whole.then(|| parts.join("&"))
}

#[test]
fn what_the_policy_refuses_does_not_run_whichever_way_it_comes() {
    let place = place();
    let server = place.serve("touch.sh,leaves.sh", |_| {});
    let mut expected = 0;
    for (request, code) in forbidden(&place) {
        let mut refused = |way: &str, got: &str| {
            expected += 1;
            assert!(got.contains(code), "{way}: {request}: {got}");
            let log = place.log();
            assert_eq!(log.len(), expected, "{way}: {request}");
            assert_eq!(log[expected - 1]["result"], code, "{way}: {request}");
            assert_eq!(log[expected - 1]["tool"], "run_script", "{way}: {request}");
            assert!(log[expected - 1]["requester"].as_str().unwrap().contains("127.0.0.1:"));
        };
        let answer = server.run(&request);
        assert_eq!(answer.status, if code == "E_BAD_ARG" { 400 } else { 403 }, "{request}");
        assert!(answer.body.contains("allowed"), "{}", answer.body);
        refused("REST", &answer.code());
        let result = server.call("run_script", &request);
        assert_eq!(result["isError"], true, "{request}");
        refused("MCP", result["content"][0]["text"].as_str().unwrap());
        if let Some(query) = query(&request) {
            let answer = server.get(&format!("/sse/run_script_stream?{query}"));
            let events = answer.events();
            let (name, document) = events.last().unwrap();
            assert_eq!(name, "error", "{events:?}");
            refused("stream", document["code"].as_str().unwrap());
        }
    }
    assert!(!place.path("root/ran").exists() && !place.path("ran").exists());
    assert_eq!(server.run(&json!({"path": "touch.sh"})).status, 200);
    assert!(place.path("root/ran").exists());
}

#[test]
fn a_script_gets_no_variable_that_is_not_on_the_list() {
    let place = Place::new(&[("env.sh", "#!/bin/sh\n/usr/bin/env\n")]);
    let server = place.serve("env.sh", |command| {
        command.env("TSM_TOKEN", "");
    });
    let result = server.run(&json!({"path": "env.sh", "env": {"MODE": "a"}})).json();
    let names: Vec<&str> = result["stdout"]
        .as_str()
        .unwrap()
        .lines()
        .filter_map(|line| line.split_once('=').map(|(name, _)| name))
        // The shell itself sets these.
        .filter(|name| !["PWD", "SHLVL", "_", "OLDPWD"].contains(name))
        .collect();
    assert_eq!(names.len(), 2, "{names:?}");
    assert!(names.contains(&"MODE") && names.contains(&"PATH"), "{names:?}");
}

#[test]
fn without_the_token_no_endpoint_answers() {
    let place = Place::new(&[("touch.sh", TOUCH)]);
    let server = place.serve("touch.sh", |command| {
        command.env("TSM_TOKEN", "the right token");
    });
    let lines = [
        "POST /actions/run_script",
        "POST /actions/list_allowed",
        "GET /sse/run_script_stream?path=touch.sh",
        "GET /healthz",
        "GET /docs",
        "GET /mcp_ui",
        "GET /openapi.json",
        "POST /mcp",
    ];
    let body = json!({"path": "touch.sh"}).to_string();
    let mut expected = 0;
    for line in lines {
        for token in
            [None, Some("Bearer the wrong token"), Some("Bearer the right toke"), Some("Basic x")]
        {
            let mut headers = vec![("Content-Type", "application/json")];
            headers.extend(token.map(|token| ("Authorization", token)));
            let answer = http::request(server.address, line, &headers, &body);
            assert_eq!((answer.status, answer.code().as_str()), (401, "E_FORBIDDEN"), "{line}");
            assert!(answer.head.contains("www-authenticate: bearer"), "{}", answer.head);
            expected += 1;
            let log = place.log();
            assert_eq!(log.len(), expected, "{line}");
            assert_eq!(log[expected - 1]["result"], "E_FORBIDDEN");
            assert!(log[expected - 1]["path"].as_str().unwrap().contains(" /"), "{line}");
        }
    }
    assert!(!place.path("root/ran").exists());
    let headers =
        [("Content-Type", "application/json"), ("Authorization", "Bearer the right token")];
    assert_eq!(http::request(server.address, lines[0], &headers, &body).status, 200);
    assert_eq!(http::request(server.address, lines[3], &headers, "").status, 200);
}

#[test]
fn pages_of_other_sites_are_kept_out() {
    let place = Place::new(&[("touch.sh", TOUCH)]);
    let server = place.serve("touch.sh", |_| {});
    let stream = "GET /sse/run_script_stream?path=touch.sh";
    let json = ("Content-Type", "application/json");
    let attacks: [(&str, &[(&str, &str)]); 7] = [
        ("POST /actions/run_script", &[json, ("Origin", "http://evil.example")]),
        ("POST /actions/run_script", &[json, ("Origin", "null")]),
        (stream, &[("Origin", "http://evil.example")]),
        (stream, &[("Host", "evil.example")]),
        (stream, &[("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", "no-cors")]),
        (stream, &[("Sec-Fetch-Site", "same-site")]),
        (stream, &[("Sec-Fetch-Site", "none"), ("Sec-Fetch-Mode", "navigate")]),
    ];
    for (index, (line, headers)) in attacks.into_iter().enumerate() {
        let answer = http::request(server.address, line, headers, "{\"path\": \"touch.sh\"}");
        assert_eq!((answer.status, answer.code().as_str()), (403, "E_FORBIDDEN"), "{headers:?}");
        assert_eq!(place.log().len(), index + 1, "{headers:?}");
        assert_eq!(place.log()[index]["result"], "E_FORBIDDEN");
    }
    // A form of another site can send text, and nothing that is JSON by its type.
    let form = [("Content-Type", "text/plain")];
    let answer = http::request(
        server.address,
        "POST /actions/run_script",
        &form,
        "{\"path\": \"touch.sh\"}",
    );
    assert_eq!((answer.status, answer.code().as_str()), (400, "E_BAD_ARG"));
    assert_eq!(place.log().len(), 8);
    assert!(!place.path("root/ran").exists());
}

#[test]
fn a_body_that_is_too_large_is_not_read() {
    let place = Place::new(&[("touch.sh", TOUCH)]);
    let server = place.serve("touch.sh", |_| {});
    let host = format!("Host: {}\r\nContent-Type: application/json\r\n", server.address);
    let line = "POST /actions/run_script HTTP/1.1\r\n";
    let declared = format!("{line}{host}Content-Length: 100000000000\r\n\r\n{{");
    let answer = read(send(server.address, declared.as_bytes()));
    assert_eq!((answer.status, answer.code().as_str()), (413, "E_BAD_ARG"));
    let mut chunked = format!("{line}{host}Transfer-Encoding: chunked\r\n\r\n").into_bytes();
    for _ in 0..100 {
        chunked.extend(b"8000\r\n");
        chunked.extend(vec![b' '; 0x8000]);
        chunked.extend(b"\r\n");
    }
    let answer = read(send(server.address, &chunked));
    // The server may close before all is sent, and the answer is lost with it.
    assert!(answer.status == 413 || answer.status == 0, "{answer:?}");
    let log = place.log_of(2);
    assert!(log.iter().all(|line| line["result"] == "E_BAD_ARG"), "{log:?}");
}

#[test]
fn a_head_that_does_not_end_is_not_waited_for() {
    let place = Place::new(&[("touch.sh", TOUCH)]);
    let server = place.serve("touch.sh", |_| {});
    let slow = send(server.address, b"GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: ");
    let idle = http::request(server.address, "GET /healthz", &[], "");
    assert_eq!(idle.status, 200, "others are served meanwhile");
    let answer = read(slow);
    assert!(answer.status == 408 || answer.status == 0, "{answer:?}");
    let log = place.log_of(1);
    assert_eq!((&log[0]["result"], &log[0]["path"]), (&"E_TIMEOUT".into(), &"a connection".into()));
}

#[test]
fn of_a_hundred_streams_few_run_and_all_are_on_record() {
    let place = Place::new(&[("wait.sh", "#!/bin/sh\necho $$ >> ids\necho up\nexec sleep 1000\n")]);
    let server = place.serve("wait.sh", |_| {});
    let line = "GET /sse/run_script_stream?path=wait.sh HTTP/1.1";
    let ask = format!("{line}\r\nHost: {}\r\n\r\n", server.address);
    let streams: Vec<_> = (0..100)
        .map(|_| BufReader::new(send(server.address, ask.as_bytes())))
        .map(|mut stream| {
            assert!(http::head(&mut stream).starts_with("http/1.1 200"));
            stream
        })
        .collect();
    let log = place.log_of(84);
    assert!(log.iter().all(|line| line["result"] == "E_POLICY"), "{log:?}");
    let ids = || -> Vec<String> {
        let ids = std::fs::read_to_string(place.path("root/ids")).unwrap_or_default();
        ids.lines().map(str::to_owned).collect()
    };
    wait_for(|| (ids().len() == 16).then_some(()));
    assert!(ids().iter().all(|id| lives(id)));
    assert_eq!(server.get("/healthz").status, 200, "the server is there for others");
    drop(streams);
    // Callers that went away take their scripts along.
    assert_eq!(place.log_of(100).len(), 100);
    assert!(ids().iter().all(|id| !lives(id)));
}

#[test]
fn there_are_only_so_many_connections() {
    let place = Place::new(&[]);
    let server = place.serve("", |_| {});
    let silent: Vec<_> = (0..300).map(|_| send(server.address, b"")).collect();
    // Those that are served say nothing and get nothing; the others are turned away at once.
    let turned_away = read(silent.into_iter().next_back().unwrap());
    assert!(turned_away.status == 503 || turned_away.status == 0, "{turned_away:?}");
    let log = place.log_of(1);
    assert_eq!((&log[0]["result"], &log[0]["path"]), (&"E_POLICY".into(), &"a connection".into()));
    wait_for(|| (server.get("/healthz").status == 200).then_some(()));
}

#[test]
fn a_flood_of_a_gigabyte_stays_small() {
    let text = "#!/bin/sh\nhead -c 1000000000 /dev/zero | tr '\\0' x\necho\nhead -c 50000000 /dev/zero | tr '\\0' '\\n'\n";
    let place = Place::new(&[("flood.sh", text)]);
    let server = place.serve("flood.sh", |_| {});
    let result = server.run(&json!({"path": "flood.sh"})).json();
    assert_eq!((&result["exitCode"], &result["truncated"]), (&0.into(), &true.into()));
    let stdout = result["stdout"].as_str().unwrap();
    assert!(stdout.len() <= 262_144 && stdout.lines().next().unwrap().len() == 8192);
    assert_eq!(place.logged("ok")["truncated"], true);
    assert!(server.peak() < 200_000, "{} kB", server.peak());
}

#[test]
fn a_caller_who_does_not_read_holds_nobody_up() {
    let place = Place::new(&[("flood.sh", "#!/bin/sh\nexec yes\n"), ("touch.sh", TOUCH)]);
    let server = place.serve("flood.sh,touch.sh", |command| {
        command.env("TSM_MAX_OUTPUT_BYTES", "200000000");
    });
    let line = "GET /sse/run_script_stream?path=flood.sh&timeout_ms=1500 HTTP/1.1";
    let ask = format!("{line}\r\nHost: {}\r\n\r\n", server.address);
    let deaf: Vec<_> = (0..16).map(|_| send(server.address, ask.as_bytes())).collect();
    let log = place.log_of(16);
    assert!(log.iter().all(|line| line["result"] == "E_TIMEOUT"), "{log:?}");
    assert_eq!(server.run(&json!({"path": "touch.sh"})).status, 200, "their places are free");
    assert!(server.peak() < 200_000, "{} kB", server.peak());
    drop(deaf);
}

#[test]
fn children_do_not_outlive_their_script() {
    let text = "#!/bin/sh\nsleep 1000 &\necho $! > one\n\
        /usr/bin/env -i setsid sh -c 'sleep 1000 & echo $! > two; exec sleep 1000' </dev/null >/dev/null 2>&1 &\n\
        while ! [ -s two ]; do sleep 0.01; done\n";
    let place = Place::new(&[("fork.sh", text)]);
    let server = place.serve("fork.sh", |_| {});
    assert_eq!(server.run(&json!({"path": "fork.sh"})).json()["exitCode"], 0);
    assert!(!lives(&place.line_of("one")) && !lives(&place.line_of("two")));
    assert_eq!(place.logged("ok")["path"], "fork.sh");
}

#[test]
fn the_end_of_the_server_is_the_end_of_its_scripts() {
    let place = Place::new(&[("wait.sh", "#!/bin/sh\necho $$ > id\nexec sleep 1000\n")]);
    let server = place.serve("wait.sh", |_| {});
    let line = "GET /sse/run_script_stream?path=wait.sh HTTP/1.1";
    let stream =
        send(server.address, format!("{line}\r\nHost: {}\r\n\r\n", server.address).as_bytes());
    let id = place.line_of("id");
    assert!(lives(&id));
    server.end();
    assert!(!lives(&id));
    assert_eq!(place.logged("E_EXEC")["path"], "wait.sh");
    drop(stream);
}

#[test]
fn where_nothing_can_be_recorded_nothing_runs() {
    let place = Place::new(&[("touch.sh", TOUCH)]);
    std::fs::create_dir(place.path("log")).unwrap();
    symlink("/dev/full", place.path("log/runner-audit.jsonl")).unwrap();
    let server = place.serve("touch.sh", |_| {});
    let answer = server.run(&json!({"path": "touch.sh"}));
    assert_eq!((answer.status, answer.code().as_str()), (403, "E_POLICY"));
    assert!(answer.body.contains("no space left"), "{}", answer.body);
    let result = server.call("run_script", &json!({"path": "touch.sh"}));
    assert!(result["content"][0]["text"].as_str().unwrap().starts_with("E_POLICY: the audit log"));
    assert_eq!(server.post("/actions/list_allowed", &json!({})).status, 403);
    assert!(!place.path("root/ran").exists());
    std::fs::remove_file(place.path("log/runner-audit.jsonl")).unwrap();
    assert_eq!(server.run(&json!({"path": "touch.sh"})).status, 200);
    assert_eq!(place.logged("ok")["path"], "touch.sh");
}
