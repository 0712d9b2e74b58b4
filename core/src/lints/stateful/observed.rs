//! What a case saw before and after the call under judgement, and what counts as evidence in answers.

use crate::case::{Role, Step};
use crate::exchange::Exchange;
use crate::lints::{CaseContext, Execution};
use crate::outcome::OutcomeKind;
use crate::sequence::intent::{Intent, Verb};
use crate::sequence::mine;
use serde_json::Value;
use std::borrow::Cow;

/// A call under judgement between two looks with equal requests.
#[derive(Debug, Clone, Copy)]
pub(super) struct Around {
    /// The call: the subject itself, or its repetition.
    pub(super) subject: usize,
    /// The look before it.
    pub(super) before: usize,
    /// The look after it.
    pub(super) after: usize,
}

/// Every pair of looks around a subject of `check` with nothing else between them.
pub(super) fn around(execution: &Execution, check: &str) -> Vec<Around> {
    let steps = &execution.case.steps[..execution.exchanges.len().min(execution.case.steps.len())];
    let mut found = Vec::new();
    for (subject, step) in steps.iter().enumerate() {
        if !is_subject(step, check) {
            continue;
        }
        for (after, view) in looks(&steps[subject + 1..], check) {
            let earlier: Vec<&Step> = steps[..subject].iter().rev().collect();
            let before = looks(earlier, check).find(|(_, other)| *other == view);
            let after = subject + 1 + after;
            let before = before.map(|(back, _)| subject - 1 - back);
            // Values that came from answers may be others after shrinking; then the looks are no equal looks.
            if let Some(before) =
                before.filter(|before| steps[*before].action == steps[after].action)
                && !is_journal(execution, Around { subject, before, after })
            {
                found.push(Around { subject, before, after });
            }
        }
    }
    found
}

/// Whether the look is into a journal of calls: it names the tool once more after its call. That a call was made is no change of state.
pub(super) fn is_journal(execution: &Execution, around: Around) -> bool {
    let tool = tool_of(execution, around.subject);
    let named = |step: usize| {
        let result = execution.exchanges.get(step).and_then(|exchange| exchange.result());
        result.map_or(0, |result| result.to_string().matches(tool).count())
    };
    // Short names are words that answers may hold for other reasons.
    tool.len() >= 6 && named(around.after) > named(around.before)
}

/// The looks that follow one another from the start of `steps`, with their views.
fn looks<'a>(
    steps: impl IntoIterator<Item = &'a Step>,
    check: &'a str,
) -> impl Iterator<Item = (usize, u32)> {
    let view_of = move |step: &Step| match &step.role {
        Role::Observe { check: c, view } if c == check => Some(*view),
        _ => None,
    };
    steps.into_iter().map(view_of).take_while(Option::is_some).flatten().enumerate()
}

/// Whether a step is the call under judgement of `check`, or its repetition.
pub(super) fn is_subject(step: &Step, check: &str) -> bool {
    matches!(&step.role, Role::Subject { check: c } | Role::Repeat { check: c, .. } if c == check)
}

/// Whether the step's answer is a real success.
pub(super) fn is_ok(execution: &Execution, step: usize) -> bool {
    execution.outcomes.get(step).is_some_and(|outcome| outcome.kind == OutcomeKind::Ok)
}

/// Whether two looks brought the same answer, values of time masked.
pub(super) fn same_answer(execution: &Execution, a: usize, b: usize) -> bool {
    crate::mask::masked(&execution.exchanges[a]) == crate::mask::masked(&execution.exchanges[b])
}

/// The tool that a step calls; empty for other steps.
pub(super) fn tool_of(execution: &Execution, step: usize) -> &str {
    execution.case.steps[step].action.tool().unwrap_or_default()
}

/// What the tool of a step is for; a request that calls none is a read.
pub(super) fn intent_of<'a>(context: &CaseContext<'a>, step: usize) -> Cow<'a, Intent> {
    if context.execution.case.steps[step].action.tool().is_none() {
        return Cow::Owned(Intent { verb: Verb::Read, nouns: Vec::new(), revives: false });
    }
    let name = tool_of(context.execution, step);
    let arguments = context.execution.case.steps[step].action.arguments();
    let known = context.catalog.tool(name);
    known.map_or_else(|| Cow::Owned(Intent::of_name(name)), |tool| Intent::of_call(tool, arguments))
}

/// Whether both steps are about the same kind of thing, by the last noun of the tools' names.
pub(super) fn same_noun(a: &Intent, b: &Intent) -> bool {
    a.nouns.last().is_some() && a.nouns.last() == b.nouns.last()
}

/// Whether the step reads or lists.
pub(super) fn is_look(intent: &Intent) -> bool {
    matches!(intent.verb, Verb::Read | Verb::List)
}

/// The values of a call's arguments that are unlikely to be equal to others by chance.
pub(super) fn telling_arguments(step: &Step) -> Vec<Value> {
    let found = step.action.arguments().map(mine::find_in_arguments).unwrap_or_default();
    found.iter().map(|find| find.value).filter(|value| is_telling(value)).cloned().collect()
}

/// Whether a value is unlikely to stand somewhere by chance.
pub(super) fn is_telling(value: &Value) -> bool {
    match value {
        Value::String(text) => {
            let numbered = text.bytes().any(|b| b.is_ascii_digit());
            let lettered = text.bytes().any(|b| b.is_ascii_alphabetic());
            let marked = numbered || text.contains(['-', '_']);
            // Short ids count letter by letter: `s1`.
            (text.len() >= 3 && marked) || (text.len() == 2 && numbered && lettered)
        }
        Value::Number(number) => number.as_i64().is_some_and(|n| n.abs() > 16),
        _ => false,
    }
}

/// Whether an answer has `value` as a JSON value of its own: in structured content, or in text that is JSON.
pub(super) fn holds(exchange: &Exchange, value: &Value) -> bool {
    objects(exchange).iter().any(|document| contains(document, value))
}

fn contains(document: &Value, value: &Value) -> bool {
    match document {
        Value::Object(members) => members.values().any(|member| contains(member, value)),
        Value::Array(items) => items.iter().any(|item| contains(item, value)),
        scalar => scalar == value,
    }
}

/// The JSON documents of an answer: structured content, else the text blocks that are JSON.
pub(super) fn objects(exchange: &Exchange) -> Vec<Value> {
    let Some(result) = exchange.result() else {
        return Vec::new();
    };
    if let Some(structured) = result.get("structuredContent") {
        return vec![structured.clone()];
    }
    let blocks = result.get("content").and_then(Value::as_array).into_iter().flatten();
    blocks
        .filter_map(|block| serde_json::from_str(block.get("text")?.as_str()?).ok())
        .filter(|v: &Value| v.is_object() || v.is_array())
        .collect()
}

/// The innermost objects of an answer that have `value` as a member's value.
pub(super) fn holders(exchange: &Exchange, value: &Value) -> Vec<Value> {
    fn walk(document: &Value, value: &Value, out: &mut Vec<Value>) {
        match document {
            Value::Object(members) => {
                if members.values().any(|member| member == value) {
                    out.push(document.clone());
                }
                members.values().for_each(|member| walk(member, value, out));
            }
            Value::Array(items) => items.iter().for_each(|item| walk(item, value, out)),
            _ => {}
        }
    }
    let mut out = Vec::new();
    for document in &objects(exchange) {
        walk(document, value, &mut out);
    }
    out
}

/// A case for examples: tools called in order with role, arguments and result.
#[cfg(test)]
pub(super) fn execution(steps: Vec<(&str, Role, Value, Value)>) -> Execution {
    use crate::case::{Case, Label, Phase};
    use crate::exchange::Reply;
    use crate::lints::scene::{call_step, exchange};
    use serde_json::json;
    let mut case = Case { phase: Phase::Stateful, steps: Vec::new() };
    let mut exchanges = Vec::new();
    for (tool, role, arguments, result) in steps {
        let params = json!({"name": tool, "arguments": arguments});
        case.steps.push(Step { role, ..call_step(tool, arguments, Label::Valid) });
        exchanges.push(exchange("tools/call", params, Reply::Result(result)).into());
    }
    let outcomes =
        exchanges.iter().map(|e: &std::sync::Arc<_>| crate::outcome::Outcome::of(e)).collect();
    Execution { case, exchanges, outcomes, stray: Vec::new(), closing: None }
}

/// Roles of `check` for examples.
#[cfg(test)]
pub(super) fn roles(check: &str) -> (Role, Role) {
    (Role::Observe { check: check.to_owned(), view: 0 }, Role::Subject { check: check.to_owned() })
}

/// A result with structured content, for examples.
#[cfg(test)]
pub(super) fn structured(value: Value) -> Value {
    serde_json::json!({"content": [{"type": "text", "text": value.to_string()}], "structuredContent": value})
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sequence::template::check;
    use serde_json::json;

    #[test]
    fn a_look_into_a_journal_of_calls_is_no_look_at_the_state() {
        let (look, subject) = roles(check::READ_ONLY);
        let seen = |before: Value, after: Value| {
            let steps = vec![
                ("recent_calls", look.clone(), json!({}), structured(before)),
                ("list_searches", subject.clone(), json!({}), structured(json!([]))),
                ("recent_calls", look.clone(), json!({}), structured(after)),
            ];
            around(&execution(steps), check::READ_ONLY).len()
        };
        assert_eq!(seen(json!(["ping"]), json!(["ping", "list_searches"])), 0);
        assert_eq!(seen(json!({"list_searches": "a"}), json!({"list_searches": "b"})), 1);
    }
}
