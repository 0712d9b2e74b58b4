//! `stack_trace_in_answer`.

use crate::lints::answers::{refusal_text, runs_code};
use crate::lints::meta::lint;
use crate::lints::traces::find_trace;
use crate::lints::{Lint, Problem, ResponseContext};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};

lint! {
    /// An error message carries a stack trace.
    ///
    /// It tells an attacker about the server's inside, costs the model tokens, and shows that the failure was not expected.
    StackTraceInAnswer(Response, Warning) {}
    spec: "", fix: "Log the trace on standard error and answer with a sentence."
}

impl Lint for StackTraceInAnswer {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        let Some(text) = refusal_text(context) else {
            return;
        };
        // A tool that runs other people's code reports their traces, not its own.
        if context.tool.is_some_and(|tool| runs_code(&tool.name, tool.description())) {
            return;
        }
        let sent = context.exchange.params.to_string();
        if let Some(trace) = find_trace(&text).filter(|_| find_trace(&sent).is_none()) {
            problems.push(
                Problem::new(
                    format!("{} trace", trace.language),
                    format!("the error carries a {} stack trace: {}", trace.language, trace.line),
                )
                .evidence(text.chars().take(2000).collect::<String>()),
            );
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use serde_json::json;

    let trace = "Traceback (most recent call last):\n  File \"/srv/app.py\", line 12, in get\n    return d[k]\nKeyError: 'x'";
    let call = |error: bool, text: &str| {
        let result = json!({"isError": error, "content": [{"type": "text", "text": text}]});
        Scene::new().input_schema(json!({"type": "object"})).call("tool", json!({}), result)
    };
    let runner =
        Scene::new().tool(json!({"name": "run_python", "inputSchema": {"type": "object"}})).call(
            "run_python",
            json!({}),
            json!({"isError": true, "content": [{"type": "text", "text": trace}]}),
        );
    Examples::of(&ENTRY)
    .flags("Python stack trace", call(true, trace))
    .flags("Node.js stack trace", call(true, "TypeError: x is undefined\n    at get (/srv/app.js:3:14)\n    at file:///srv/main.js:9:1"))
    .passes(call(false, &format!("notes.txt: {trace}")))
    .passes(call(true, "KeyError: 'x'"))
    .passes(runner)
}
