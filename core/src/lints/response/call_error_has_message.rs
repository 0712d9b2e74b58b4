//! `call_error_has_message`.

use crate::lints::look::call_result;
use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, ResponseContext};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use crate::pointer::Members;
use serde_json::Value;

lint! {
    /// A tool error says nothing.
    ///
    /// The model sees that the call failed and not why, so it repeats it or gives up.
    CallErrorHasMessage(Response, Warning) {}
    spec: "server/tools#error-handling", fix: "Put a text block into the result that says what was wrong and what to do."
}

impl Lint for CallErrorHasMessage {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        let Some(result) = call_result(context).filter(|_| context.exchange.is_tool_error()) else {
            return;
        };
        let told = result.member("structuredContent").is_some_and(|content| !content.is_null());
        let blocks = result.member("content").and_then(Value::as_array);
        let says = |block: &Value| match block.member("text").and_then(Value::as_str) {
            Some(text) => !matches!(
                text.trim(),
                "" | "Error" | "Error:" | "undefined" | "null" | "None" | "[object Object]"
            ),
            None => true,
        };
        if !told && !blocks.is_some_and(|blocks| blocks.iter().any(says)) {
            problems.push(Problem::new(
                "empty tool error",
                "the tool error has no text that says what was wrong",
            ));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use serde_json::json;

    let call = |text: &str| {
        Scene::new().call(
            "tool",
            json!({}),
            json!({"isError": true, "content": [{"type": "text", "text": text}]}),
        )
    };
    Examples::of(&ENTRY)
        .flags(
            "no text that says",
            Scene::new().call("tool", json!({}), json!({"isError": true, "content": []})),
        )
        .flags("no text that says", call("[object Object]"))
        .passes(call("no such file"))
}
