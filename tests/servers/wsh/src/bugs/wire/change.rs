//! What is wrong with an answer, given the request.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use serde_json::{Value, json};

pub(in crate::bugs) const SEEDED: &[&str] = &[
    "modern_result_type_missing",
    "modern_ttl_negative",
    "modern_cache_scope_unknown",
    "modern_resource_error_retired",
    "modern_killed_resource_empty",
    "http_large_answer_cut",
    "http_500_on_unknown_session",
];

/// Sessions that were killed.
static KILLED: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

/// Whether the request is of the 2026-07-28 revision.
fn modern(request: &Value) -> bool {
    request["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"] == "2026-07-28"
}

/// Changes the answer if the bug says so. Returns whether it did.
pub(super) fn change(bug: &str, request: &Value, answer: &mut Value) -> bool {
    note_kills(request, answer);
    if !bug.starts_with("modern_") || !modern(request) {
        return false;
    }
    let (method, params) = (request["method"].as_str().unwrap_or_default(), &request["params"]);
    let killed = KILLED.lock().unwrap_or_else(PoisonError::into_inner).clone();
    match (bug, method) {
        ("modern_result_type_missing", "tools/call") if params["name"] == "wsh_overlay" => answer
            .get_mut("result")
            .and_then(Value::as_object_mut)
            .is_some_and(|r| r.remove("resultType").is_some()),
        ("modern_ttl_negative", "resources/list") if !killed.is_empty() => {
            set(answer, "ttlMs", json!(-1))
        }
        ("modern_cache_scope_unknown", "resources/read") => {
            let screen = params["uri"].as_str().is_some_and(|uri| uri.ends_with("/screen"));
            screen && set(answer, "cacheScope", json!("session"))
        }
        ("modern_resource_error_retired", "resources/read") if answer.get("error").is_some() => {
            answer["error"]["code"] = json!(-32002);
            true
        }
        ("modern_killed_resource_empty", "resources/read") if answer.get("error").is_some() => {
            let uri = params["uri"].as_str().unwrap_or_default();
            let gone =
                killed.iter().any(|name| uri.starts_with(&format!("wsh://sessions/{name}/")));
            if gone {
                let result = json!({"resultType": "complete", "contents": [], "ttlMs": 0, "cacheScope": "private"});
                *answer = json!({"jsonrpc": "2.0", "id": answer["id"], "result": result});
            }
            gone
        }
        _ => false,
    }
}

fn set(answer: &mut Value, field: &str, value: Value) -> bool {
    let Some(result) = answer.get_mut("result") else { return false };
    result[field] = value;
    true
}

/// Remembers sessions that are gone.
fn note_kills(request: &Value, answer: &Value) {
    let arguments = &request["params"]["arguments"];
    let kill = request["params"]["name"] == "wsh_manage_session" && arguments["action"] == "kill";
    if let (true, true, Some(name)) =
        (kill, answer["result"]["isError"] == false, arguments["session"].as_str())
    {
        KILLED.lock().unwrap_or_else(PoisonError::into_inner).insert(name.to_owned());
    }
}
