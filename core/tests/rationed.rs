//! Servers that allow so many calls: of each session, or once and for all.

mod serving;

use serde_json::{Value, json};
use serving::{input, serve};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use tooltest_core::RunResult;
use tooltest_core::case::Phase;
use tooltest_core::session::Connector;
use tooltest_core::transport::MemoryChannel;

/// Calls of `paint` that are allowed.
const RATION: u32 = 5;

struct Rationed {
    /// Whether a new session has its calls anew.
    renewed: bool,
    painted: Arc<AtomicU32>,
}

impl Connector for Rationed {
    fn connect(&self) -> Result<MemoryChannel, String> {
        let (channel, peer) = MemoryChannel::pair();
        let painted = if self.renewed { Arc::default() } else { Arc::clone(&self.painted) };
        std::thread::spawn(move || {
            serve(&peer, &tools(), |name, sent| {
                let spent = name == "paint" && painted.fetch_add(1, Ordering::Relaxed) >= RATION;
                let text = sent["text"].as_str().map(str::to_owned);
                Some(vec![match text {
                    Some(_) if spent => Err("Rate limit reached (5 on the free tier)".to_owned()),
                    Some(text) => Ok(format!("{name}: {text}")),
                    None => Err("text must be a string".to_owned()),
                }])
            });
        });
        Ok(channel)
    }
}

fn tools() -> Value {
    let schema =
        json!({"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]});
    json!({"tools": [
        {"name": "paint", "inputSchema": schema},
        {"name": "spell", "inputSchema": schema},
    ]})
}

fn run(renewed: bool) -> RunResult {
    let mut input = input("rationed", 1, 400);
    input.phases = vec![Phase::Examples, Phase::Stateful, Phase::Boundary, Phase::Negative];
    serving::run(Rationed { renewed, painted: Arc::default() }, input)
}

fn ok(result: &RunResult, tool: &str) -> u64 {
    let found = result.coverage.iter().find(|told| told.tool == tool);
    found.expect("the tool is there").ok
}

#[test]
fn a_session_whose_calls_are_used_up_is_ended() {
    let result = run(true);
    assert!(ok(&result, "paint") > u64::from(10 * RATION), "{:?}", result.budget);
}

#[test]
fn a_ration_that_outlasts_sessions_ends_none() {
    let result = run(false);
    let budget = &result.budget;
    assert!(budget.calls > 300 && budget.sessions < 60, "{budget:?}");
    assert!(ok(&result, "spell") > 50, "{budget:?}");
}
