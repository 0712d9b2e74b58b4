//! Namesakes: things whose names begin with the name of another. What looks for the one by its name may find the other as well, which
//! shows where the one is taken away.

use super::intent::Verb;
use super::live::Live;
use super::mind::Mind;
use super::template::{Planned, check};
use crate::case::Role;
use crate::mask::values;
use crate::outcome::OutcomeKind;
use serde_json::Value;

/// What the name of a namesake has more.
const MORE: char = '2';

/// Under this name such deletions are counted, and how many there are of what one tool makes.
const NAMESAKES: &str = "namesakes";
const MOST: u32 = 3;

/// The name of a namesake.
pub(super) fn namesake(name: &str) -> String {
    format!("{name}{MORE}")
}

impl Mind {
    /// After a namesake was made: the one whose name it begins with is taken away between two looks at all of them. Tells whether that
    /// was planned.
    pub(super) fn plan_namesake(&mut self, live: &mut Live, index: usize, tool: usize) -> bool {
        let done = self.checks.get(&(tool, NAMESAKES)).is_some_and(|done| *done >= MOST);
        let Some(first) = self.namesake_of(live, index, tool).filter(|_| !done) else {
            return false;
        };
        let noun = self.intents[tool].nouns.last();
        let alike =
            |other: &usize| self.kinds[*other].as_ref() == noun && !self.feedback[*other].is_slow();
        let takes_away = |other: &usize| {
            self.intents[*other].verb == Verb::Delete || self.deletes_by_mode(*other)
        };
        let lists = |other: &usize| {
            self.intents[*other].verb == Verb::List
                && self.intents[*other].nouns.last() == noun
                && self.feedback[*other].ok > 0
        };
        let tools = || self.callable.iter().copied();
        let deleter = tools().filter(alike).find(takes_away);
        let (Some(deleter), Some(lister)) = (deleter, tools().find(lists)) else {
            return false;
        };
        *self.checks.entry((tool, NAMESAKES)).or_default() += 1;
        let look = Planned::About { tool: lister, step: Some(index), role: Role::Call };
        // The role tells a tool of several modes which one is meant.
        let role = Role::Subject { check: check::AFTER_DELETE.to_owned() };
        let deletion = Planned::About { tool: deleter, step: Some(first), role };
        live.put_first(vec![look.clone(), deletion, look]);
        true
    }

    /// The step that made, by the same tool, what the thing that `index` made is a namesake of.
    fn namesake_of(&self, live: &Live, index: usize, tool: usize) -> Option<usize> {
        let sent = |step: usize| {
            let arguments = live.history[step].0.action.arguments();
            arguments.map(values).unwrap_or_default()
        };
        let new = sent(index);
        let begins = |name: &Value| {
            let longer = name.as_str().map(|name| Value::from(namesake(name)));
            longer.is_some_and(|longer| new.contains(&longer))
        };
        (0..index).rev().find(|step| {
            self.tool_of(&live.history[*step].0) == Some(tool)
                && live.outcomes[*step].kind == OutcomeKind::Ok
                && !self.corpus.is_stale(*step)
                && sent(*step).iter().any(begins)
        })
    }
}
