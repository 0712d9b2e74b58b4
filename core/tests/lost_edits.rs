//! Two edits of one text that are sent together: one is lost where the server reads, waits and writes back without a lock.

use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tooltest_core::case::Phase;
use tooltest_core::input::{InProcessTarget, Target};
use tooltest_core::result::RunResult;
use tooltest_core::session::Connector;
use tooltest_core::transport::{MemoryChannel, MemoryPeer};
use tooltest_core::{RunOptions, TooltestInput, run_blocking};

/// A server that keeps texts.
struct Texts {
    /// Whether an edit holds the lock from reading the text to writing it back.
    locks: bool,
}

type Kept = Arc<Mutex<BTreeMap<String, String>>>;

impl Connector for Texts {
    fn connect(&self) -> Result<MemoryChannel, String> {
        let (channel, peer) = MemoryChannel::pair();
        let locks = self.locks;
        std::thread::spawn(move || serve(&peer, locks));
        Ok(channel)
    }
}

fn tools() -> Value {
    let tool = |name: &str, properties: Value, required: &[&str]| json!({"name": name, "inputSchema": {"type": "object", "properties": properties, "required": required}});
    let text = json!({"type": "string"});
    let edit = json!({"type": "object", "properties": {"old_string": text, "new_string": text}, "required": ["old_string", "new_string"]});
    json!({"tools": [
        tool("write_text", json!({"path": text, "content": text}), &["path", "content"]),
        tool("edit_text", json!({"path": text, "edits": {"type": "array", "minItems": 1, "items": edit}, "dry_run": {"type": "boolean"}}), &["path", "edits"]),
        tool("read_text", json!({"path": text}), &["path"]),
    ]})
}

/// The text after the edits, or the part that it does not hold.
fn edited(mut text: String, edits: &Value) -> Result<String, String> {
    for edit in edits.as_array().into_iter().flatten() {
        let part = |key: &str| edit[key].as_str().unwrap_or_default();
        if !text.contains(part("old_string")) {
            return Err(format!("Could not find {:?}", part("old_string")));
        }
        text = text.replacen(part("old_string"), part("new_string"), 1);
    }
    Ok(text)
}

fn edit(kept: &Kept, arguments: &Value, locks: bool) -> Result<String, String> {
    let path = arguments["path"].as_str().ok_or("path must be text")?;
    let missing = || format!("There is no text {path:?}");
    if locks {
        let mut kept = kept.lock().expect("no thread panics");
        let text = kept.get_mut(path).ok_or_else(missing)?;
        *text = edited(text.clone(), &arguments["edits"])?;
    } else {
        let text = kept.lock().expect("no thread panics").get(path).cloned();
        let text = edited(text.ok_or_else(missing)?, &arguments["edits"])?;
        std::thread::sleep(Duration::from_millis(20));
        kept.lock().expect("no thread panics").insert(path.to_owned(), text);
    }
    Ok("edited".to_owned())
}

fn call(kept: &Kept, params: &Value, locks: bool) -> Value {
    let arguments = &params["arguments"];
    let text = |key: &str| arguments[key].as_str().ok_or_else(|| format!("{key} must be text"));
    let answer = (|| match params["name"].as_str() {
        Some("edit_text") => edit(kept, arguments, locks),
        Some("write_text") => {
            let (path, content) = (text("path")?, text("content")?);
            kept.lock().expect("no thread panics").insert(path.to_owned(), content.to_owned());
            Ok("written".to_owned())
        }
        _ => {
            let path = text("path")?;
            let found = kept.lock().expect("no thread panics").get(path).cloned();
            found.ok_or_else(|| format!("There is no text {path:?}"))
        }
    })();
    let failed = answer.is_err();
    let text = answer.unwrap_or_else(|text| text);
    json!({"content": [{"type": "text", "text": text}], "isError": failed})
}

fn serve(peer: &MemoryPeer, locks: bool) {
    let kept = Kept::default();
    while let Ok(bytes) = peer.from_tester.recv() {
        let message: Value = serde_json::from_slice(&bytes).expect("the tester sends JSON");
        let Some(id) = message.get("id").cloned() else { continue };
        let params = message["params"].clone();
        let result = match message["method"].as_str() {
            Some("initialize") => {
                json!({"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": "texts", "version": "1"}})
            }
            Some("tools/list") => tools(),
            Some("tools/call") => {
                let (kept, to_tester) = (Arc::clone(&kept), peer.to_tester.clone());
                std::thread::spawn(move || send(&to_tester, &id, call(&kept, &params, locks)));
                continue;
            }
            _ => json!({}),
        };
        send(&peer.to_tester, &id, result);
    }
}

fn send(to_tester: &Sender<Vec<u8>>, id: &Value, result: Value) {
    let message = json!({"jsonrpc": "2.0", "id": id, "result": result});
    // Whoever has gone away needs no answer.
    let _ = to_tester.send(message.to_string().into_bytes());
}

fn run(locks: bool) -> RunResult {
    let mut input =
        TooltestInput::new(Target::InProcess(InProcessTarget { name: "texts".to_owned() }));
    input.seed = Some(1);
    input.max_calls = 200;
    input.failure_dir = String::new();
    input.phases = vec![Phase::Examples, Phase::Stateful, Phase::Parallel];
    let options =
        RunOptions { connector: Some(Arc::new(Texts { locks })), ..RunOptions::default() };
    run_blocking(input, &options).expect("the server starts")
}

#[test]
fn an_edit_that_another_one_overwrites_is_missed() {
    let result = run(false);
    let found = result.findings.iter().find(|finding| finding.lint == "parallel_calls_differ");
    let case = found.and_then(|finding| finding.case.as_ref()).expect("the lost edit is found");
    let tools: Vec<&str> = case.steps.iter().map(|step| step.name.as_str()).collect();
    assert_eq!(tools, ["write_text", "edit_text", "edit_text", "read_text"]);
}

#[test]
fn edits_under_a_lock_are_right() {
    assert!(run(true).findings.is_empty());
}
