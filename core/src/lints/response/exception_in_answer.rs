//! `exception_in_answer`.

use crate::case::Label;
use crate::exchange::Reply;
use crate::lints::answers::{refusal_text, runs_code, undeclared_argument};
use crate::lints::faults::find_fault;
use crate::lints::look::shorten;
use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, ResponseContext};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use crate::outcome::template;

lint! {
    /// Valid arguments made the server fail with an exception that its author did not foresee.
    ///
    /// The text of the error is one that a language's runtime writes when a program is wrong, such as "list index out of
    /// range" or "Cannot read properties of undefined". The SDK turned the exception into an answer; without it the server
    /// would have crashed. Tools that run code or formulas of their callers are left alone.
    ExceptionInAnswer(Response, Error) {}
    spec: "server/tools#error-handling", fix: "Handle the case that raised it; where the call cannot be done, answer with `isError: true` and a sentence that says why."
}

impl Lint for ExceptionInAnswer {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        let valid = context.step.is_some_and(|step| step.label == Label::Valid);
        let Some(text) = refusal_text(context).filter(|_| valid) else {
            return;
        };
        let internal =
            matches!(&context.exchange.reply, Reply::Error(error) if error.code == Some(-32603));
        // -32603 is `internal_error`'s.
        if internal || context.tool.is_some_and(|tool| runs_code(&tool.name, tool.description())) {
            return;
        }
        if let Some(name) = undeclared_argument(context) {
            if find_fault(&text, "").is_some() {
                problems.push(undeclared(name, &text));
            }
        } else if let Some(fault) = find_fault(&text, &context.exchange.params.to_string()) {
            problems.push(
                Problem::new(
                    format!("{}: {}", fault.language, template(&fault.text)),
                    format!(
                        "valid arguments raised a {} exception: {}",
                        fault.language,
                        shorten(text.trim(), 200)
                    ),
                )
                .evidence(text.chars().take(2000).collect::<String>()),
            );
        }
    }
}

/// The problem of a tool that fails on an argument which its schema neither declares nor forbids.
pub(super) fn undeclared(name: &str, text: &str) -> Problem {
    let message = format!(
        "the schema does not forbid the undeclared argument {name:?}, and the tool fails on it: {}",
        shorten(text.trim(), 160)
    );
    Problem::new("undeclared argument", message)
        .fix("Say `\"additionalProperties\": false`, or ignore arguments that are not declared.")
        .warning()
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use serde_json::json;

    let call = |tool: &str, error: bool, text: &str| {
        let result = json!({"isError": error, "content": [{"type": "text", "text": text}]});
        Scene::new().tool(json!({"name": tool, "inputSchema": {"type": "object"}})).call(
            tool,
            json!({}),
            result,
        )
    };
    let result = json!({"isError": true, "content": [{"type": "text", "text": "get() got an unexpected keyword argument 'two'"}]});
    let extra = Scene::new()
        .tool(json!({"name": "get", "inputSchema": {"type": "object", "properties": {}}}))
        .call("get", json!({"two": 2}), result);
    let python = "Error executing tool get: 'NoneType' object has no attribute 'title'";
    Examples::of(&ENTRY)
        .flags("raised a Python exception", call("get", true, python))
        .flags(
            "raised a JavaScript exception",
            call("get", true, "Cannot read properties of undefined (reading 'id')"),
        )
        .flags("undeclared argument \"two\"", extra)
        .passes(call("get", true, "there is no task 7"))
        .passes(call("run_script", true, python))
}
