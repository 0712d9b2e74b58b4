//! `call_malformed_params`.

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
use serde_json::json;

lint! {
    /// A `tools/call` whose parameters are malformed is served.
    ///
    /// A call without a name, or with arguments that are no object, is refused with -32602.
    CallMalformedParams(Probe, Warning) {}
    spec: "server/tools#error-handling", fix: "Refuse the request with -32602."
}

impl Lint for CallMalformedParams {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        if context.catalog.tools.is_empty() {
            return Vec::new();
        }
        // The tool does not exist, so that nothing runs, whatever the server makes of it.
        let asks = vec![
            ask("tools/call", json!({"arguments": {}})),
            ask("tools/call", json!({"name": "tooltest_no_such_tool", "arguments": "text"})),
        ];
        vec![shared("calls with malformed parameters", asks)]
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        for (_, exchange) in asked(context) {
            let served = matches!(exchange.reply, Reply::Result(_)) && !exchange.is_tool_error();
            if served {
                let what = if exchange.params.get("name").is_some() {
                    "arguments that are no object"
                } else {
                    "no name"
                };
                problems.push(Problem::new(
                    what,
                    format!("a tools/call with {what} got {}", outcome(exchange)),
                ));
            }
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    let tool = || Scene::new().tool(json!({"name": "a", "inputSchema": {"type": "object"}}));
    Examples::of(&ENTRY)
        .flags(
            "with no name",
            tool().answers(|_, params| match params.get("name") {
                None => Reply::Result(json!({"content": []})),
                Some(_) => error(-32602, "x"),
            }),
        )
        .passes(tool().answers(|_, _| error(-32603, "x")))
        .passes(tool().answers(|_, _| Reply::Result(json!({"content": [], "isError": true}))))
}
