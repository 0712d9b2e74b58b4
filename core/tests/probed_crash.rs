//! A probe that ends the server: the finding has no case, and says what was sent.

mod serving;

use serde_json::json;
use serving::{input, run, serve};
use tooltest_core::session::Connector;
use tooltest_core::transport::MemoryChannel;

/// Greets by name, and ends where there is none.
struct Greeter;

impl Connector for Greeter {
    fn connect(&self) -> Result<MemoryChannel, String> {
        let (channel, peer) = MemoryChannel::pair();
        let properties = json!({"name": {"type": "string"}});
        let tools = json!({"tools": [{"name": "greet", "inputSchema": {"type": "object", "properties": properties}}]});
        std::thread::spawn(move || {
            serve(&peer, &tools, |_, sent| {
                Some(vec![Ok(format!("hello {}", sent["name"].as_str()?))])
            });
        });
        Ok(channel)
    }
}

#[test]
fn a_crash_that_a_probe_comes_upon_says_what_was_sent() {
    let result = run(Greeter, input("greeter", 1, 60));
    let crashes = result.findings.iter().filter(|finding| finding.lint == "no_crash");
    let (cases, probes): (Vec<_>, Vec<_>) = crashes.partition(|finding| finding.case.is_some());
    assert!(!cases.is_empty() && cases.iter().all(|case| case.message.ends_with("answering")));
    let told: Vec<&str> = probes.iter().map(|finding| finding.message.as_str()).collect();
    let sent = "instead of answering `tools/call` with {\"arguments\":{}}";
    assert!(told.len() == 1 && told[0].ends_with(sent), "{told:?}");
}
