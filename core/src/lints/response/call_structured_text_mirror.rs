//! `call_structured_text_mirror`.

use crate::lints::look::{call_result, same};
use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, ResponseContext};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use crate::pointer::Members;
use serde_json::{Map, Value};

lint! {
    /// No text block holds the structured content as JSON.
    ///
    /// Clients that do not know structured content, and models behind them, see the text alone.
    CallStructuredTextMirror(Response, Warning) {}
    spec: "server/tools#structured-content", fix: "Put the serialised JSON of `structuredContent` into a text block.", since: V2025_06_18
}

impl Lint for CallStructuredTextMirror {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        let Some(result) = call_result(context).filter(|_| !context.exchange.is_tool_error())
        else {
            return;
        };
        let Some(value) = result.member("structuredContent").filter(|value| !value.is_null())
        else {
            return;
        };
        let blocks = result.member("content").and_then(Value::as_array);
        // The usual case, for which nothing needs to be read again.
        if context.exchange.document(0).is_some_and(|document| same(document, value)) {
            return;
        }
        let texts: Vec<&str> = blocks
            .into_iter()
            .flatten()
            .filter_map(|block| block.member("text")?.as_str())
            .collect();
        let others = blocks.is_some_and(|blocks| blocks.len() > texts.len());
        if !mirrors(&texts, value) && !others {
            problems.push(Problem::new(
                "no mirror",
                "no text block holds the JSON of structuredContent",
            ));
        }
    }
}

/// Whether the texts say the same as the content: as its JSON, or, where the content wraps one value as some SDKs do, as
/// that value, or one text an item.
fn mirrors(texts: &[&str], content: &Value) -> bool {
    let says = |text: &str, value: &Value| {
        value.as_str() == Some(text)
            || serde_json::from_str(text).is_ok_and(|parsed| same(&parsed, value))
    };
    if texts.iter().any(|text| says(text, content)) {
        return true;
    }
    let Some(inner) = content
        .as_object()
        .filter(|members| members.len() == 1)
        .and_then(|m| Map::values(m).next())
    else {
        return false;
    };
    let items = inner.as_array().is_some_and(|items| {
        items.len() == texts.len() && items.iter().zip(texts).all(|(item, text)| says(text, item))
    });
    items || texts.iter().any(|text| says(text, inner))
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use serde_json::json;

    let call = |text: &str, content| {
        let blocks = json!([{"type": "text", "text": text}]);
        Scene::new().call(
            "tool",
            json!({}),
            json!({"content": blocks, "structuredContent": content}),
        )
    };
    Examples::of(&ENTRY)
        .flags("no text block", call("3 tasks", json!({"tasks": [1, 2, 3]})))
        .flags("no text block", call("{\"n\": 2}", json!({"n": 1})))
        .passes(call("{\"b\": 1.0, \"a\": []}", json!({"a": [], "b": 1})))
        .passes(call("hello", json!({"result": "hello"})))
        .passes(Scene::new().call(
            "tool",
            json!({}),
            json!({"content": [{"type": "image"}], "structuredContent": {}}),
        ))
}
