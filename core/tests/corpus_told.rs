//! What the server offers as completions is used; what enters the corpus is told to whoever asks for it.

mod in_process;

use serde_json::{Value, json};
use std::sync::{Arc, Mutex};
use tooltest_core::case::Phase;
use tooltest_core::event::Event;
use tooltest_core::result::RunResult;
use tooltest_core::{RunOptions, run_blocking};

/// A server one of whose tools answers an id; the other one wants a word that only completions tell.
fn answer(message: &Value) -> Value {
    let params = &message["params"];
    let capabilities = json!({"tools": {}, "prompts": {}, "completions": {}});
    let colour = json!({"type": "object", "properties": {"colour_scheme": {"type": "string"}}, "required": ["colour_scheme"]});
    match message["method"].as_str() {
        Some("initialize") => {
            json!({"protocolVersion": "2025-06-18", "capabilities": capabilities, "serverInfo": {"name": "issuer", "version": "1"}})
        }
        Some("tools/list") => {
            json!({"tools": [{"name": "issue", "inputSchema": {"type": "object"}}, {"name": "paint", "inputSchema": colour}]})
        }
        Some("prompts/list") => {
            json!({"prompts": [{"name": "decorate", "arguments": [{"name": "colour_scheme", "required": true}]}]})
        }
        Some("prompts/get") => json!({"messages": []}),
        Some("completion/complete") => json!({"completion": {"values": ["dusk"]}}),
        Some("tools/call") if params["name"] == "issue" => {
            json!({"content": [], "structuredContent": {"ticket_id": "tk_42"}})
        }
        Some("tools/call") => {
            let known = params["arguments"]["colour_scheme"] == "dusk";
            json!({"content": [{"type": "text", "text": if known { "done" } else { "no" }}], "isError": !known})
        }
        _ => json!({}),
    }
}

/// The result of a short run, and the values that events told of.
fn run(calls: u64, dump: bool, log: bool) -> (RunResult, Vec<(String, String, Value)>) {
    let mut input = in_process::input();
    input.max_calls = calls;
    input.phases = vec![Phase::Examples, Phase::Stateful];
    input.state_machine_config.dump_corpus = dump;
    input.state_machine_config.log_corpus_deltas = log;
    let told = Arc::new(Mutex::new(Vec::new()));
    let heard = Arc::clone(&told);
    let options = RunOptions {
        connector: Some(in_process::server(answer)),
        observer: Some(Arc::new(move |event: &Event| {
            if let Event::CorpusGrew { tool, key, value } = event {
                let news = (tool.clone(), key.clone(), value.clone());
                heard.lock().expect("no thread panics").push(news);
            }
        })),
        ..RunOptions::default()
    };
    let result = run_blocking(input, &options).expect("the server starts");
    let told = told.lock().expect("no thread panics").clone();
    (result, told)
}

#[test]
fn the_result_carries_the_corpus_where_that_is_wanted() {
    let (result, told) = run(9, true, false);
    let dump = result.corpus.dump.expect("it was asked for");
    assert_eq!(dump.get("issue ticket_id"), Some(&vec![json!("tk_42")]), "{dump:?}");
    assert_eq!(told, []);
}

#[test]
fn events_tell_what_enters_the_corpus_where_that_is_wanted() {
    let (result, told) = run(9, false, true);
    assert!(
        told.contains(&("issue".to_owned(), "ticket_id".to_owned(), json!("tk_42"))),
        "{told:?}"
    );
    assert_eq!(result.corpus.dump, None);
    assert_eq!(run(9, false, false).1, []);
}

#[test]
fn what_the_server_offers_as_a_completion_reaches_its_tools() {
    let (result, _) = run(60, false, false);
    let paint = result.coverage.iter().find(|tool| tool.tool == "paint").expect("it is listed");
    assert!(paint.ok > 0, "{paint:?}");
}
