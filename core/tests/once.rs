//! A server that ends once, and never again under the same calls: what is not known to be its fault fails no run.

mod serving;

use serde_json::json;
use serving::{input, run, serve};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use tooltest_core::case::Phase;
use tooltest_core::lints::Level;
use tooltest_core::session::Connector;
use tooltest_core::transport::MemoryChannel;

/// The call at which the server ends, counted over all sessions.
const LAST: u32 = 7;

#[derive(Default)]
struct Once {
    calls: Arc<AtomicU32>,
}

impl Connector for Once {
    fn connect(&self) -> Result<MemoryChannel, String> {
        let (channel, peer) = MemoryChannel::pair();
        let calls = Arc::clone(&self.calls);
        let tools = json!({"tools": [{"name": "hello", "inputSchema": {"type": "object", "properties": {"to": {"type": "string"}}}}]});
        std::thread::spawn(move || {
            serve(&peer, &tools, |_, _| {
                let last = calls.fetch_add(1, Ordering::Relaxed) == LAST;
                (!last).then(|| vec![Ok("hello".to_owned())])
            });
        });
        Ok(channel)
    }
}

#[test]
fn an_end_that_never_comes_again_and_left_no_trace_is_a_warning() {
    let mut input = input("once", 1, 60);
    input.phases = vec![Phase::Examples, Phase::Stateful];
    let result = run(Once::default(), input);
    let all = result.findings.iter().chain(&result.warnings);
    let ends: Vec<_> = all.filter(|finding| finding.lint == "no_crash").collect();
    assert_eq!(ends.len(), 1, "{ends:?}");
    assert_eq!(ends[0].level, Level::Warning);
    assert!(ends[0].message.contains("seen once only"), "{}", ends[0].message);
    assert!(ends[0].reproduction.is_some_and(|r| r.reproduced == 0 && r.attempts > 0));
}
