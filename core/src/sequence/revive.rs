//! Reviving: which tools bring back what another one took away. A trash is seldom for everything.

use super::intent::Verb;
use super::live::Live;
use super::mind::Mind;
use super::template::{self, Planned};
use crate::case::{Binding, Role, Source};
use crate::catalog::Catalog;
use crate::mask::values;
use crate::outcome::OutcomeKind;
use crate::pointer::join;
use serde_json::{Map, Value};

/// Refusals after which a tool is not asked again to bring back what another one takes away.
const REFUSALS: u32 = 2;

impl Mind {
    /// Tools that may bring back what `deleter` takes away.
    pub(super) fn revivers_of(&self, deleter: usize) -> Vec<usize> {
        let may = |reviver: &usize| {
            let (worked, refused) =
                self.revived.get(&(*reviver, deleter)).copied().unwrap_or_default();
            worked > 0 || refused < REFUSALS
        };
        let revives = |tool: &usize| self.intents[*tool].revives;
        self.callable.iter().copied().filter(revives).filter(may).collect()
    }

    /// Notes what a call that worked took away or brought back.
    pub(super) fn note_gone(&mut self, live: &Live, index: usize, tool: usize, catalog: &Catalog) {
        let arguments = live.history[index].0.action.arguments();
        let deletes = self.verb_of(tool, arguments, catalog) == Verb::Delete;
        let intent = &self.intents[tool];
        let members = || arguments.and_then(Value::as_object).into_iter().flatten();
        if deletes {
            let named = members().any(|(name, _)| intent.names_own(name));
            for (_, value) in members().filter(|(name, _)| !named || intent.names_own(name)) {
                self.corpus.mark_gone(value);
            }
        }
        if intent.revives {
            members().for_each(|(_, value)| self.corpus.mark_live(value));
        }
    }

    /// The latest step that took something away.
    pub(super) fn latest_deletion(&self, live: &Live) -> Option<usize> {
        let deletes = |at: &usize| {
            let tool = self.tool_of(&live.history[*at].0);
            tool.is_some_and(|tool| self.intents[tool].verb == Verb::Delete)
        };
        let ok = |at: &usize| live.outcomes[*at].kind == OutcomeKind::Ok;
        let steps = if self.traits.deletes { 0..live.history.len() } else { 0..0 };
        steps.rev().find(|at| ok(at) && deletes(at))
    }

    /// A read of the very thing that the step `at` named, though it may be gone.
    pub(super) fn read_named(
        &mut self,
        live: &Live,
        at: usize,
        catalog: &Catalog,
    ) -> Option<Planned> {
        let (step, _) = &live.history[at];
        let reader = self.reader_of_one(self.tool_of(step)?)?;
        let offered = &catalog.tools[reader];
        let schema = offered.input_schema()?;
        let sent = step.action.arguments()?.as_object()?;
        let (mut arguments, mut bindings) = (Map::new(), Vec::new());
        for parameter in schema.parameters().iter().filter(|parameter| parameter.required) {
            let pointer = join("", &parameter.name);
            let value = sent.get(&parameter.name).filter(|_| parameter.pointer == pointer)?;
            arguments.insert(parameter.name.clone(), value.clone());
            let from = Source::Argument { pointer: pointer.clone() };
            bindings.push(Binding { at: pointer, step: at, from });
        }
        let call = template::call(&offered.name, Value::Object(arguments), bindings, Role::Call);
        let names = !call.bindings.is_empty();
        names.then(|| Planned::Exact(Box::new(call)))
    }

    /// After something was brought back: a read of it.
    pub(super) fn read_returned(
        &mut self,
        live: &Live,
        index: usize,
        catalog: &Catalog,
    ) -> Option<Planned> {
        let sent = |step: usize| live.history[step].0.action.arguments().map(values);
        let back = sent(index)?;
        let named = |at: &usize| {
            let tool = self.tool_of(&live.history[*at].0);
            let gone = sent(*at).unwrap_or_default();
            tool.is_some_and(|tool| self.intents[tool].verb == Verb::Delete)
                && gone.iter().any(|value| value.is_string() && back.contains(value))
        };
        let deletion = (0..index).rev().find(named)?;
        self.read_named(live, deletion, catalog)
    }

    /// Notes whether a tool brought back what the latest deletion took away, if it was asked for that.
    pub(super) fn note_return(
        &mut self,
        live: &Live,
        index: usize,
        reviver: usize,
        outcome: OutcomeKind,
    ) {
        let Some(at) = self.latest_deletion(live) else {
            return;
        };
        let sent = |step: usize| live.history[step].0.action.arguments().map(values);
        let (asked, gone) = (sent(index).unwrap_or_default(), sent(at).unwrap_or_default());
        let same = asked.iter().any(|value| value.is_string() && gone.contains(value));
        let Some(deleter) = self.tool_of(&live.history[at].0).filter(|_| same) else {
            return;
        };
        let (worked, refused) = self.revived.entry((reviver, deleter)).or_default();
        match outcome {
            OutcomeKind::Ok => *worked += 1,
            kind if kind.is_refusal() => *refused += 1,
            _ => {}
        }
    }
}
