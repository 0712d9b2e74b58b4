//! `call_unknown_tool`.

use crate::exchange::Reply;
use crate::lints::meta::lint;
use crate::lints::probes::{ask, asked, outcome, shared};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, error},
};
use crate::probe::Probe;
use serde_json::{Value, json};

lint! {
    /// A call of a tool that does not exist succeeds, or is answered with a tool error.
    ///
    /// It is answered with a JSON-RPC error: no tool ran, so no tool can say that it failed.
    CallUnknownTool(Probe, Error) {}
    spec: "server/tools#error-handling", fix: "Answer calls of unknown tools with -32602."
}

impl Lint for CallUnknownTool {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        if context.catalog.tools.is_empty() {
            return Vec::new();
        }
        let call = |name: &str| ask("tools/call", json!({"name": name, "arguments": {}}));
        vec![shared(
            "calls of tools that do not exist",
            vec![call("tooltest_no_such_tool"), call("")],
        )]
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        let mut asked = asked(context).map(|(_, exchange)| exchange);
        let Some(exchange) = asked.find(|exchange| matches!(exchange.reply, Reply::Result(_)))
        else {
            return;
        };
        let name = exchange.params.get("name").unwrap_or(&Value::Null);
        if exchange.is_tool_error() {
            let message =
                format!("a call of the unknown tool {name} got a tool error, not a JSON-RPC error");
            problems.push(Problem::new("tool error", message).warning());
            return;
        }
        let message = format!("a call of the unknown tool {name} got {}", outcome(exchange));
        let problem = Problem::new("success", message);
        // Text that says so is not yet a success.
        let refused = reads_as_refusal(&exchange.text());
        problems.push(if refused { problem.warning() } else { problem });
    }
}

fn reads_as_refusal(text: &str) -> bool {
    let text = text.to_lowercase();
    ["unknown", "not found", "no such", "error", "invalid", "does not exist", "unsupported"]
        .iter()
        .any(|word| text.contains(word))
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    let tool = || Scene::new().tool(json!({"name": "a", "inputSchema": {"type": "object"}}));
    Examples::of(&ENTRY)
        .flags("got the result", tool().answers(|_, _| Reply::Result(json!({"content": []}))))
        .flags(
            "got a tool error",
            tool().answers(|_, _| Reply::Result(json!({"content": [], "isError": true}))),
        )
        .passes(tool().answers(|_, _| error(-32602, "Unknown tool")))
        .passes(Scene::new().answers(|_, _| Reply::Result(json!({"content": []}))))
}
