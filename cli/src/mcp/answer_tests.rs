//! Results of all sizes become answers that fit and that the output schema allows.

use super::*;
use crate::mcp::schema;
use tooltest_core::schema::{CompiledSchema, Dialect};

/// A result of a run with so many findings, warnings and tools, and answers of so many bytes.
fn result(count: usize, bytes: usize, failures: &str) -> RunResult {
    let long = "é".repeat(bytes / 2);
    let finding = |number: usize| {
        json!({
            "lint": "no_crash", "level": "error", "code": "exit 101", "fingerprint": format!("{number:016x}"),
            "phase": "stateful", "tool": format!("tool_{number}"), "message": long, "why": long, "fix": long, "seen": 1,
            "evidence": long, "failure_file": format!("{failures}/{number}.json"), "case": {
                "failing_step": 0, "minimal": true, "executions": 1, "original_steps": 9, "steps": [{
                    "method": "tools/call", "name": format!("tool_{number}"), "arguments": {"text": long},
                    "response": {"result": {"content": [{"type": "text", "text": long}]}}, "outcome": "crash", "elapsed_ms": 1.0,
                }],
            },
        })
    };
    let findings: Vec<Value> = (0..count).map(finding).collect();
    let coverage = |number: usize| {
        json!({
            "tool": format!("tool_{number}"), "calls": 1, "ok": 1, "tool_errors": 0, "soft_errors": 0, "protocol_errors": 0, "broken": 0,
            "valid": 1, "invalid": 0, "outcome_classes": 1, "latency": {"p50": 1.0, "p95": 1.0, "p99": 1.0, "max": 1.0, "histogram": [1]},
        })
    };
    serde_json::from_value(json!({
        "schema_version": 1, "tooltest_version": "0", "outcome": "failed", "seed": 1, "config_source": "built-in",
        "server": {"name": "s", "version": "1", "revision": null, "transport": "stdio", "target": "s", "capabilities": {}, "stderr": long},
        "findings": findings, "warnings": findings, "coverage": (0..count).map(coverage).collect::<Vec<_>>(),
        "not_measured": [], "phases": [], "corpus": {"values": 0}, "budget": {"calls": 0, "shrink_calls": 0, "sessions": 0, "ended_by": "complete"},
        "timing": {"seconds": 0.0, "startup_seconds": 0.0, "calls_per_second": 0.0, "shrink_seconds": 0.0},
        "offered": {"tools": [{"name": "tool_0", "description": long}], "resources": [{"uri": "a://b"}]},
        "input": {"failure_dir": failures}, "trace": [{"text": long}],
    }))
    .unwrap()
}

fn value(answer: &Answer) -> Value {
    serde_json::to_value(answer).unwrap()
}

#[test]
fn every_answer_fits_and_is_valid() {
    let schema = Value::Object(schema::of::<Answer>());
    let schema = CompiledSchema::compile(&schema, Dialect::Draft202012).unwrap();
    for (count, bytes) in [(0, 10), (1, 10), (3, 900), (1, 100_000), (40, 8000), (300, 5)] {
        for (whole, limit) in [(false, MAX_BYTES), (true, MAX_BYTES_TRACED)] {
            let document = value(&Answer::of(result(count, bytes, "failures"), whole));
            let length = document.to_string().len();
            assert!(length <= limit, "{count} findings of {bytes} bytes: {length}");
            assert_eq!(schema.violations(&document), [], "{count} findings of {bytes} bytes");
            assert_eq!(document["findings"].as_array().unwrap().is_empty(), count == 0);
        }
    }
}

#[test]
fn short_answers_lose_nothing_but_what_the_client_can_list() {
    let document = value(&Answer::of(result(1, 10, "failures"), false));
    assert_eq!(document.get("left_out"), None);
    assert_eq!(document["offered"], json!({"tools": ["tool_0"], "resources": ["a://b"]}));
    assert_eq!(document["findings"][0]["case"]["steps"][0]["arguments"]["text"], "ééééé");
    assert_eq!(document["trace"], json!([{"text": "ééééé"}]));
}

#[test]
fn findings_stay_longest_and_the_rest_is_pointed_to() {
    let document = value(&Answer::of(result(30, 1500, "failures"), false));
    let left_out = document["left_out"].to_string();
    assert!(
        left_out.contains("calls of 30 warnings") && left_out.contains("failures"),
        "{left_out}"
    );
    assert!(!document["findings"][0]["case"].is_null());
    let all = value(&Answer::of(result(300, 5, ""), false));
    let left_out = all["left_out"].to_string();
    assert!(left_out.contains("more findings: no_crash in tool_"), "{left_out}");
    assert!(!left_out.contains("failure files"), "{left_out}");
    assert_eq!(all["findings"][0]["tool"], "tool_0");
}
