//! Records: what a case knew of one thing at a time, from what was sent and what was answered.

use super::observed::{
    intent_of, is_look, is_ok, is_telling, objects, same_noun, telling_arguments,
};
use crate::case::Step;
use crate::lints::{CaseContext, Execution};
use crate::schema::key_tokens;
use crate::sequence::intent::{Intent, OWN_IDS, Verb};
use crate::sequence::mine;
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::cell::OnceCell;

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

/// A case read once: what each step is for, and, of those steps where it matters, what they sent, answered and issued.
pub(super) struct Story<'a> {
    /// The case as it ran.
    pub(super) execution: &'a Execution,
    /// What the tool of each step is for.
    pub(super) intents: Vec<Cow<'a, Intent>>,
    /// Arguments that are unlikely to be equal to others by chance.
    mentioned: Vec<OnceCell<Vec<Value>>>,
    /// The JSON documents that each step answered; none where it was no success.
    answers: Vec<OnceCell<Vec<Value>>>,
    /// Values that a call which made something answered and its caller did not send.
    issued: Vec<OnceCell<Vec<Value>>>,
}

impl<'a> Story<'a> {
    /// Reads a case.
    pub(super) fn of(context: &CaseContext<'a>) -> Self {
        let execution = context.execution;
        let count = execution.exchanges.len();
        let unread = || vec![OnceCell::new(); count];
        Self {
            execution,
            intents: (0..count).map(|at| intent_of(context, at)).collect(),
            mentioned: unread(),
            answers: unread(),
            issued: unread(),
        }
    }

    fn mentioned(&self, at: usize) -> &[Value] {
        self.mentioned[at].get_or_init(|| telling_arguments(&self.execution.case.steps[at]))
    }

    fn answers(&self, at: usize) -> &[Value] {
        self.answers[at].get_or_init(|| {
            let ok = is_ok(self.execution, at);
            if ok { objects(&self.execution.exchanges[at]) } else { Vec::new() }
        })
    }

    fn issued(&self, at: usize) -> &[Value] {
        self.issued[at].get_or_init(|| {
            let makes = self.intents[at].verb == Verb::Create && is_ok(self.execution, at);
            if makes { issued(self.execution, at, self.mentioned(at)) } else { Vec::new() }
        })
    }

    /// The object of an answer that is the record of the thing with that id; none where there are several.
    pub(super) fn record(&self, at: usize, id: &Value) -> Option<&Map<String, Value>> {
        let mut found = Vec::new();
        for document in self.answers(at) {
            collect(document, id, &mut found);
        }
        let first = found.pop()?;
        found.iter().all(|other| *other == first).then_some(first)
    }

    /// The record of what the step `made` made, as the step `at` shows it.
    pub(super) fn record_of_made(&self, made: usize, at: usize) -> Option<&Map<String, Value>> {
        self.issued(made).iter().find_map(|id| self.record(at, id))
    }

    /// The ids that a call names its own thing by: the only telling argument, or those named after the tool's noun.
    pub(super) fn targets(&self, at: usize) -> Vec<Value> {
        targets(&self.execution.case.steps[at], &self.intents[at])
    }

    /// Whether two calls say by an id that the record does not hold, and each by another one, where the thing `id` is: in two sessions,
    /// say, there may be a thing of that name each.
    pub(super) fn is_elsewhere(
        &self,
        (one, other): (usize, usize),
        id: &Value,
        record: &Map<String, Value>,
    ) -> bool {
        let sent = |at: usize| {
            let arguments = self.execution.case.steps[at].action.arguments();
            arguments.and_then(Value::as_object)
        };
        let (Some(one), Some(other)) = (sent(one), sent(other)) else { return false };
        let held = |value: &Value| record.values().any(|member| member == value);
        let place = |value: &Value| value != id && is_telling(value) && !held(value);
        one.iter().any(|(name, value)| {
            let tokens = key_tokens(name);
            tokens.len() > 1
                && tokens.last().is_some_and(|last| OWN_IDS.contains(&last.as_str()))
                && !record.contains_key(name)
                && place(value)
                && other.get(name).is_some_and(|there| there != value && place(there))
        })
    }

    /// What was known of the thing `id` just before the step `until`; none where something may have changed it since.
    pub(super) fn known(&self, until: usize, id: &Value) -> Option<Known> {
        let about = &self.intents[until];
        let mut known: Option<Known> = None;
        for at in (0..until).filter(|at| is_ok(self.execution, *at)) {
            let intent = &self.intents[at];
            let shown = same_noun(intent, about).then(|| self.record(at, id)).flatten();
            if let Some(members) = shown.filter(|shown| !self.is_elsewhere((at, until), id, shown))
            {
                known = Some(Known { members: members.clone(), sent_only: false, step: at });
                continue;
            }
            if is_look(intent) {
                continue;
            }
            let mentioned = self.mentioned(at);
            let arguments = || self.execution.case.steps[at].action.arguments();
            match intent.verb {
                Verb::Create if same_noun(intent, about) && self.issued(at).contains(id) => {
                    let sent = arguments().and_then(Value::as_object);
                    known =
                        sent.map(|sent| Known { members: sent.clone(), sent_only: true, step: at });
                }
                _ if shown.is_some() => known = None,
                Verb::Update if !mentioned.is_empty() && !mentioned.contains(id) => {}
                // What a thing is told apart by stays when something else is made for it.
                Verb::Create if !same_noun(intent, about) || !mentioned.contains(id) => {}
                _ => known = None,
            }
        }
        known
    }
}

fn collect<'v>(document: &'v Value, id: &Value, out: &mut Vec<&'v Map<String, Value>>) {
    match document {
        Value::Object(members) => {
            let own = members.iter().find(|(name, _)| OWN_IDS.contains(&name.as_str()));
            let is_it = match own {
                Some((_, value)) => value == id,
                None => members.values().any(|value| value == id),
            };
            let outer = out.len();
            members.values().for_each(|member| collect(member, id, out));
            // An answer that names the thing and shows it is no second record of it.
            let shown = out[outer..].iter().any(|inner| {
                inner.iter().any(|(name, value)| OWN_IDS.contains(&name.as_str()) && value == id)
            });
            if is_it && !shown {
                out.push(members);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, id, out)),
        _ => {}
    }
}

/// The ids that a call names its own thing by: the only telling argument, or those named after the tool's noun.
pub(super) fn targets(step: &Step, intent: &Intent) -> Vec<Value> {
    let telling = telling_arguments(step);
    if telling.len() < 2 {
        return telling;
    }
    let members = step.action.arguments().and_then(Value::as_object);
    let own = |(name, value): &(&String, &Value)| is_telling(value) && intent.names_own(name);
    members.into_iter().flatten().filter(own).map(|(_, value)| value.clone()).collect()
}

fn issued(execution: &Execution, at: usize, sent: &[Value]) -> Vec<Value> {
    let mut ids: Vec<Value> = Vec::new();
    for mined in mine::answer(&execution.exchanges[at], true) {
        if is_telling(&mined.value) && !sent.contains(&mined.value) && !ids.contains(&mined.value) {
            ids.push(mined.value);
        }
    }
    ids
}
