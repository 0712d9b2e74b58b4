//! Reviving: which tools bring back what another one took away. A trash is seldom for everything.

use super::intent::Verb;
use super::live::Live;
use super::mind::Mind;
use crate::catalog::Catalog;
use crate::mask::values;
use crate::outcome::OutcomeKind;
use serde_json::Value;

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
        (0..live.history.len()).rev().find(|at| {
            let tool = self.tool_of(&live.history[*at].0);
            live.outcomes[*at].kind == OutcomeKind::Ok
                && tool.is_some_and(|tool| self.intents[tool].verb == Verb::Delete)
        })
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
