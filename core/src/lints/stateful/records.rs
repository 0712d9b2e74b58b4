//! Records: what a case knew of one thing at a time, from what was sent and what was answered.

use super::observed::{intent_of, is_look, is_ok, is_telling, objects, same_noun, telling_arguments};
use crate::exchange::Exchange;
use crate::lints::CaseContext;
use crate::sequence::intent::{Intent, OWN_IDS, Verb};
use crate::sequence::mine;
use serde_json::{Map, Value};

/// What was known of a thing.
#[derive(Debug, Clone)]
pub(super) struct Known {
    /// Its members.
    pub(super) members: Map<String, Value>,
    /// Whether they are only what was sent to make it: no answer has shown them yet.
    pub(super) sent_only: bool,
    /// The step that told.
    pub(super) step: usize,
}

/// The object of an answer that is the record of the thing with that id; none where there are several.
pub(super) fn record_of(exchange: &Exchange, id: &Value) -> Option<Map<String, Value>> {
    let mut found = Vec::new();
    for document in &objects(exchange) {
        collect(document, id, &mut found);
    }
    let first = found.pop()?;
    found.iter().all(|other| *other == first).then_some(first)
}

fn collect(document: &Value, id: &Value, out: &mut Vec<Map<String, Value>>) {
    match document {
        Value::Object(members) => {
            let own = members.iter().find(|(name, _)| OWN_IDS.contains(&name.as_str()));
            let is_it = match own {
                Some((_, value)) => value == id,
                None => members.values().any(|value| value == id),
            };
            if is_it {
                out.push(members.clone());
            }
            members.values().for_each(|member| collect(member, id, out));
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, id, out)),
        _ => {}
    }
}

/// The ids that a call names its own thing by: the only telling argument, or those named after the tool's noun.
pub(super) fn targets(context: &CaseContext<'_>, at: usize) -> Vec<Value> {
    let step = &context.execution.case.steps[at];
    let telling = telling_arguments(step);
    if telling.len() < 2 {
        return telling;
    }
    let intent = intent_of(context, at);
    let members = step.action.arguments().and_then(Value::as_object);
    let named = members.into_iter().flatten().filter(|(name, value)| {
        is_telling(value) && intent.names_own(name)
    });
    named.map(|(_, value)| value.clone()).collect()
}

/// The ids that a call which made something answered: values that its caller did not send.
pub(super) fn issued(context: &CaseContext<'_>, at: usize) -> Vec<Value> {
    let execution = context.execution;
    let sent = telling_arguments(&execution.case.steps[at]);
    let mut ids: Vec<Value> = Vec::new();
    for mined in mine::answer(&execution.exchanges[at], true) {
        if is_telling(&mined.value) && !sent.contains(&mined.value) && !ids.contains(&mined.value) {
            ids.push(mined.value);
        }
    }
    ids
}

/// What was known of the thing `id` just before the step `until`; none where something may have changed it since.
pub(super) fn known(
    context: &CaseContext<'_>,
    until: usize,
    id: &Value,
    about: &Intent,
) -> Option<Known> {
    let execution = context.execution;
    let mut known: Option<Known> = None;
    for at in (0..until).filter(|at| is_ok(execution, *at)) {
        let intent = intent_of(context, at);
        let shown = same_noun(&intent, about)
            .then(|| record_of(&execution.exchanges[at], id))
            .flatten()
            .map(|members| Known { members, sent_only: false, step: at });
        if shown.is_some() {
            known = shown;
            continue;
        }
        if is_look(&intent) {
            continue;
        }
        let mentioned = telling_arguments(&execution.case.steps[at]);
        let sent = || execution.case.steps[at].action.arguments().and_then(Value::as_object);
        match intent.verb {
            Verb::Create if same_noun(&intent, about) && issued(context, at).contains(id) => {
                known = sent().map(|sent| Known { members: sent.clone(), sent_only: true, step: at });
            }
            Verb::Create | Verb::Update if !mentioned.is_empty() && !mentioned.contains(id) => {}
            Verb::Create if !mentioned.contains(id) => {}
            _ => known = None,
        }
    }
    known
}
