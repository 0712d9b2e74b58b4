//! What reports show of a case's steps and their answers.

use super::words;
use crate::finding::{CaseReport, StepReport};
use serde_json::Value;
use std::borrow::Cow;

/// The name under which a step is shown: the tool, prompt or URI, or else the method.
pub(super) fn step_name(step: &StepReport) -> &str {
    if step.name.is_empty() { &step.method } else { &step.name }
}

/// `Smallest case: 3 steps, shrunk from 46 in 21 executions`; of calls that were not made again, `As seen: 2 steps`.
pub(super) fn case_title(case: &CaseReport) -> String {
    let kind = match (case.minimal, case.executions) {
        (true, _) => "Smallest case",
        (false, 0) => "As seen",
        (false, _) => "Smallest case so far",
    };
    let steps = words::count_len(case.steps.len(), "step");
    match (case.executions, case.original_steps > case.steps.len()) {
        (0, _) => format!("{kind}: {steps}"),
        (n, true) => format!(
            "{kind}: {steps}, shrunk from {} in {}",
            case.original_steps,
            words::count(n.into(), "execution")
        ),
        (n, false) => {
            format!("{kind}: {steps}, found after {}", words::count(n.into(), "execution"))
        }
    }
}

/// What is known where no answer came, or none that can be shown as a message.
pub(super) fn instead(response: &Value) -> Option<&str> {
    let members = response.as_object().filter(|members| members.len() == 1)?;
    let (key, value) = members.iter().next()?;
    ["closed", "no_answer", "malformed"].contains(&key.as_str()).then(|| value.as_str())?
}

/// How much of an answer is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Extent {
    /// The structured content, or the text where it is all there is; JSON in text is parsed.
    Gist,
    /// The result or error without its envelope; text that only mirrors the structured content is left out.
    Body,
    /// The result or error as it came.
    Whole,
}

/// The part of an answer that is shown; `None` for nothing to show.
pub(super) fn shown(response: &Value, extent: Extent) -> Option<Cow<'_, Value>> {
    let body = response.get("result").or_else(|| response.get("error")).unwrap_or(response);
    if body.is_null() {
        return None;
    }
    let structured = body.get("structuredContent");
    let text = single_text(body);
    match (extent, structured) {
        (Extent::Gist, Some(structured)) => Some(Cow::Borrowed(structured)),
        (Extent::Gist, None) => Some(text.map_or(Cow::Borrowed(body), parsed)),
        (Extent::Body, Some(structured))
            if text.is_some_and(|text| *parsed(text) == *structured) =>
        {
            let mut rest = body.as_object().cloned().unwrap_or_default();
            rest.remove("content");
            Some(Cow::Owned(Value::Object(rest)))
        }
        (Extent::Whole | Extent::Body, _) => Some(Cow::Borrowed(body)),
    }
}

/// The text of a result that consists of one text block.
fn single_text(body: &Value) -> Option<&Value> {
    match body.get("content")?.as_array()?.as_slice() {
        [block] => block.get("text").filter(|text| text.is_string()),
        _ => None,
    }
}

/// The object or array that a text holds, or the text.
fn parsed(text: &Value) -> Cow<'_, Value> {
    let source = text.as_str().unwrap_or_default();
    match serde_json::from_str::<Value>(source) {
        Ok(value) if value.is_object() || value.is_array() => Cow::Owned(value),
        _ => Cow::Borrowed(text),
    }
}

/// Steps up to which a case that could not be shrunk is shown whole.
const SHOWN_WHOLE: usize = 8;

/// Which steps of a case are worth a reader's time: all of a smallest one; of a long one that could not be shrunk, the failing one
/// and those whose answers it uses.
pub(super) fn telling_steps(case: &CaseReport) -> Vec<bool> {
    if case.minimal || case.steps.len() <= SHOWN_WHOLE {
        return vec![true; case.steps.len()];
    }
    let mut telling = vec![false; case.steps.len()];
    let mut wanted = vec![case.failing_step];
    while let Some(index) = wanted.pop() {
        let Some(step) = case.steps.get(index).filter(|_| !telling[index]) else { continue };
        telling[index] = true;
        wanted.extend(step.bindings.iter().map(|binding| binding.step));
        let together =
            |other: &crate::finding::StepReport| step.group.is_some() && other.group == step.group;
        wanted.extend((0..case.steps.len()).filter(|other| together(&case.steps[*other])));
    }
    telling
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn gist(response: &Value) -> Option<Value> {
        shown(response, Extent::Gist).map(Cow::into_owned)
    }

    #[test]
    fn the_gist_is_the_telling_part() {
        let text = |text: &str| json!({"result": {"content": [{"type": "text", "text": text}]}});
        assert_eq!(gist(&text("hi")), Some(json!("hi")));
        assert_eq!(gist(&text("[1]")), Some(json!([1])));
        assert_eq!(gist(&text("12")), Some(json!("12")));
        assert_eq!(
            gist(&json!({"result": {"content": [], "structuredContent": {"a": 1}}})),
            Some(json!({"a": 1}))
        );
        assert_eq!(gist(&json!({"error": {"code": -1}})), Some(json!({"code": -1})));
        assert_eq!(gist(&json!("no answer")), Some(json!("no answer")));
        assert_eq!(gist(&Value::Null), None);
    }

    #[test]
    fn only_a_true_mirror_is_left_out() {
        let answer = |text: &str| json!({"result": {"content": [{"type": "text", "text": text}], "structuredContent": {"a": 1}}});
        assert_eq!(
            *shown(&answer("{\"a\":1}"), Extent::Body).unwrap(),
            json!({"structuredContent": {"a": 1}})
        );
        assert_eq!(
            *shown(&answer("{\"a\":2}"), Extent::Body).unwrap(),
            answer("{\"a\":2}")["result"]
        );
        assert_eq!(
            *shown(&answer("{\"a\":1}"), Extent::Whole).unwrap(),
            answer("{\"a\":1}")["result"]
        );
    }
}
