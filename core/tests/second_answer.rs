//! A tool whose calls are answered twice: it is the one that is blamed, and one call shows it.

mod serving;

use serde_json::json;
use serving::{input, run, serve};
use tooltest_core::session::Connector;
use tooltest_core::transport::MemoryChannel;

struct Twice;

impl Connector for Twice {
    fn connect(&self) -> Result<MemoryChannel, String> {
        let (channel, peer) = MemoryChannel::pair();
        let tool = |name: &str| json!({"name": name, "inputSchema": {"type": "object"}});
        let tools = json!({"tools": [tool("say_once"), tool("say_twice"), tool("say_again")]});
        std::thread::spawn(move || {
            serve(&peer, &tools, |name, _| {
                let times = if name == "say_twice" { 2 } else { 1 };
                Some(vec![Ok("hello".to_owned()); times])
            });
        });
        Ok(channel)
    }
}

#[test]
fn a_second_answer_is_blamed_on_the_call_that_got_it() {
    let result = run(Twice, input("twice", 1, 60));
    let found = result.findings.iter().filter(|finding| finding.lint == "response_unique");
    let told: Vec<_> = found
        .map(|finding| {
            let steps = finding.case.as_ref().map_or(0, |case| case.steps.len());
            (finding.tool.as_deref().unwrap_or_default(), steps)
        })
        .collect();
    assert_eq!(told, [("say_twice", 1)]);
}
