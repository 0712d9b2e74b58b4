//! `sampling_message_rules`.

use crate::lints::look::{asks, kind_of};
use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, ResponseContext};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, frame},
};
use crate::pointer::Members;
use serde_json::Value;

lint! {
    /// A sampling request breaks the rules for tool results in its messages.
    ///
    /// Model providers refuse a user message that mixes tool results with anything else, and a tool use that the next
    /// message does not answer.
    SamplingMessageRules(Response, Error) {}
    spec: "client/sampling#message-content-constraints", fix: "Answer all tool uses of a message in the next one, which has tool results only.", since: V2025_11_25
}

impl Lint for SamplingMessageRules {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        let messages =
            asks(context).into_iter().filter(|(method, _)| *method == "sampling/createMessage");
        for messages in messages.filter_map(|(_, params)| params.member("messages")?.as_array()) {
            if let Some(what) = fault(messages) {
                problems.push(Problem::new(what, format!("in a sampling request, {what}")));
            }
        }
    }
}

fn fault(messages: &[Value]) -> Option<&'static str> {
    for (index, message) in messages.iter().enumerate() {
        let blocks = blocks(message);
        let results = blocks.iter().filter(|block| kind_of(block) == "tool_result").count();
        if results > 0 && results < blocks.len() {
            return Some("a message mixes tool results with other content");
        }
        let next = messages.get(index + 1).map(self::blocks).unwrap_or_default();
        let answered = |id: Option<&Value>| {
            next.iter()
                .any(|block| kind_of(block) == "tool_result" && block.member("toolUseId") == id)
        };
        let uses = blocks.iter().filter(|block| kind_of(block) == "tool_use");
        if uses.into_iter().any(|block| !answered(block.member("id"))) {
            return Some("a tool use is not answered by the next message");
        }
    }
    None
}

/// The content of a message, which is one block or a list.
fn blocks(message: &Value) -> Vec<&Value> {
    match message.member("content") {
        Some(Value::Array(blocks)) => blocks.iter().collect(),
        Some(block) => vec![block],
        None => Vec::new(),
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use serde_json::json;

    let asks = |messages| {
        let params = json!({"maxTokens": 9, "messages": messages});
        let ask = json!({"jsonrpc": "2.0", "id": 1, "method": "sampling/createMessage", "params": params});
        Scene::new().call("tool", json!({}), json!({"content": []})).stray(frame(&ask))
    };
    let used = json!({"role": "assistant", "content": {"type": "tool_use", "id": "u", "name": "t", "input": {}}});
    let result = json!({"type": "tool_result", "toolUseId": "u", "content": []});
    let text = json!({"type": "text", "text": "x"});
    Examples::of(&ENTRY)
        .flags("not answered", asks(json!([used])))
        .flags("mixes", asks(json!([used, {"role": "user", "content": [result, text]}])))
        .passes(asks(json!([used, {"role": "user", "content": [result]}])))
        .passes(asks(json!([{"role": "user", "content": text}])))
}
