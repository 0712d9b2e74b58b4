//! Exports of a saved failure.
#![allow(clippy::needless_pass_by_value, reason = "literals read better without references")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use serde_json::{Value, json};
use tooltest_core::export::Export;
use tooltest_core::failure::Failure;

fn failure(target: Value) -> Failure {
    let call = |tool: &str, arguments: Value, bindings: Value| json!({"action": {"action": "call_tool", "tool": tool, "arguments": arguments}, "bindings": bindings});
    serde_json::from_value(json!({
        "failure_version": 1, "lint": "no_crash", "fingerprint": "0123456789abcdef", "tool": "read_note", "message": "ended */ with\n\"#quotes'",
        "server": "notes", "revision": "2025-11-25", "seed": 7, "target": target,
        "case": {"phase": "stateful", "steps": [
            call("create_note", json!({"title": "it's"}), json!([])),
            call("read_note", json!({"id": "nt_1", "n": {"a/b": [1]}}), json!([
                {"at": "/id", "step": 0, "from": {"source": "result", "pointer": "/structuredContent/id"}},
                {"at": "/n/a~1b/0", "step": 0, "from": {"source": "text_json", "block": 0, "pointer": "/n"}},
            ])),
        ]},
    }))
    .unwrap()
}

#[test]
fn messages_open_a_session_and_carry_the_literal_values() {
    let text = Export::Jsonl.render(&failure(json!({"stdio": {"command": "x"}}))).unwrap();
    let messages: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let methods: Vec<&str> =
        messages.iter().map(|message| message["method"].as_str().unwrap()).collect();
    assert_eq!(methods, ["initialize", "notifications/initialized", "tools/call", "tools/call"]);
    assert_eq!(messages[3]["params"]["arguments"]["id"], "nt_1");
}

#[test]
fn curl_reads_borrowed_values_from_the_answers() {
    let target = json!({"http": {"url": "http://127.0.0.1:1/mcp?a='b'", "headers": {"X-Key": "[redacted]", "X-Plain": "v"}}});
    let script = Export::Curl.render(&failure(target)).unwrap();
    for part in [
        r"url='http://127.0.0.1:1/mcp?a='\''b'\'''",
        r#"-H 'X-Key: '"${X_KEY:?"#,
        "-H 'X-Plain: v'",
        r#"jq -c '.result["structuredContent"]["id"]' "$work/step1""#,
        r#"'.["params"]["arguments"]["n"]["a/b"][0] = $value'"#,
    ] {
        assert!(script.contains(part), "no {part} in\n{script}");
    }
    let checked = std::process::Command::new("bash").args(["-n", "-c", &script]).status();
    assert!(checked.is_ok_and(|status| status.success()), "{script}");
    assert!(
        Export::Curl
            .render(&failure(json!({"stdio": {"command": "x"}})))
            .unwrap_err()
            .to_string()
            .contains("on stdio")
    );
}

#[test]
fn names_are_known_and_typos_recognised() {
    for export in Export::ALL {
        assert_eq!(export.name().parse(), Ok(export));
    }
    assert!("vitst".parse::<Export>().unwrap_err().to_string().contains("did you mean `vitest`?"));
}
