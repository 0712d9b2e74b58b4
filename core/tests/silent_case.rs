//! A call that gets no answer because of what came before it: the case in the report has that, and nothing else.

mod serving;

use serde_json::json;
use serving::{input, run, serve};
use tooltest_core::case::Phase;
use tooltest_core::session::Connector;
use tooltest_core::transport::MemoryChannel;

/// A door that cannot be opened once it was locked: nobody ever answers.
struct Door;

impl Connector for Door {
    fn connect(&self) -> Result<MemoryChannel, String> {
        let (channel, peer) = MemoryChannel::pair();
        let tool = |name: &str| json!({"name": name, "inputSchema": {"type": "object"}});
        let names = ["open_door", "lock_door", "ring_bell", "paint_door"];
        let tools = json!({"tools": names.map(tool)});
        std::thread::spawn(move || {
            let mut locked = false;
            serve(&peer, &tools, |name, _| {
                locked |= name == "lock_door";
                let silent = locked && name == "open_door";
                Some(if silent { vec![] } else { vec![Ok("done".to_owned())] })
            });
        });
        Ok(channel)
    }
}

#[test]
fn a_case_without_an_answer_holds_only_what_it_takes() {
    let mut input = input("door", 1, 30);
    // With less, what led to the call is not left out: it gets a third of this for each answer, and a second at least.
    input.request_timeout = 3.0;
    input.phases = vec![Phase::Stateful];
    let result = run(Door, input);
    let silent = result.findings.iter().find(|finding| finding.lint == "call_timely");
    let case = silent.and_then(|finding| finding.case.as_ref()).expect("the call is told");
    let names: Vec<&str> = case.steps.iter().map(|step| step.name.as_str()).collect();
    assert_eq!(names, ["lock_door", "open_door"]);
}
