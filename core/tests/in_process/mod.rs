//! A server within the test: one function from a request to its result.

use serde_json::{Value, json};
use std::sync::Arc;
use tooltest_core::TooltestInput;
use tooltest_core::input::{InProcessTarget, Target};
use tooltest_core::session::Connector;
use tooltest_core::transport::MemoryChannel;

struct Server(fn(&Value) -> Value);

impl Connector for Server {
    fn connect(&self) -> Result<MemoryChannel, String> {
        let (channel, peer) = MemoryChannel::pair();
        let answer = self.0;
        std::thread::spawn(move || {
            while let Ok(bytes) = peer.from_tester.recv() {
                // What is no JSON, or no request, gets no answer.
                let Ok(message) = serde_json::from_slice::<Value>(&bytes) else { continue };
                let Some(id) = message.get("id") else { continue };
                let answer = json!({"jsonrpc": "2.0", "id": id, "result": answer(&message)});
                if peer.to_tester.send(answer.to_string().into_bytes()).is_err() {
                    return;
                }
            }
        });
        Ok(channel)
    }
}

/// A server that answers each request with what `answer` makes of it.
pub(crate) fn server(answer: fn(&Value) -> Value) -> Arc<dyn Connector> {
    Arc::new(Server(answer))
}

/// The input of a run on it, seed 1, without failure files.
pub(crate) fn input() -> TooltestInput {
    let target = Target::InProcess(InProcessTarget { name: "in the test".to_owned() });
    let mut input = TooltestInput::new(target);
    input.seed = Some(1);
    input.failure_dir = String::new();
    input
}
