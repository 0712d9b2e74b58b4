//! A sequence while it runs: what was sent, what came back, and what is planned next.

use super::first::First;
use super::template::Planned;
use crate::case::{Case, Phase, Role, Step};
use crate::exchange::{Exchange, Reply};
use crate::lints::Execution;
use crate::message::Frame;
use crate::outcome::Outcome;
use std::collections::VecDeque;
use std::sync::Arc;

/// Planned calls by which a sequence may be longer than it should: a last change is to be looked at.
const AFTER: usize = 2;

/// A sequence while it runs.
#[derive(Debug)]
pub(crate) struct Live {
    /// The phase it belongs to.
    pub(crate) phase: Phase,
    /// Steps and exchanges so far.
    pub(crate) history: Vec<(Step, Arc<Exchange>)>,
    /// How each went.
    pub(crate) outcomes: Vec<Outcome>,
    /// The objects that each step is about: those of the values it used and those it brought.
    pub(crate) objects: Vec<Vec<u32>>,
    /// What comes next, before anything is chosen freely.
    pub(crate) agenda: VecDeque<Planned>,
    /// The object that the sequence is about for now.
    pub(crate) focus: Option<u32>,
    /// The kind of thing that the sequence begins with, and how many of them are still to be made for it.
    pub(crate) drill: Option<(String, u8)>,
    /// Links of a chain that come before the checks of a drill, and those checks.
    pub(crate) links: u8,
    pub(crate) later: VecDeque<Planned>,
    /// Whether it has had its round of reads.
    pub(crate) rounded: bool,
    /// Whether the latest call was chosen as one of a chain of changes.
    pub(crate) chain: bool,
    /// The step that made the thing which checks are about by preference.
    pub(crate) subject: Option<usize>,
    /// What it goes through, where it is there for first successes.
    pub(crate) first: Option<First>,
    /// How many more calls that the schema forbids come before the look at what they did.
    pub(crate) burst: u8,
    /// Calls after which it ends.
    pub(crate) length: usize,
    /// Calls to producers planned in a row: for which tool, and which.
    pub(crate) producers: Vec<(usize, usize)>,
    /// Frames that belong to no request.
    pub(crate) stray: Vec<Frame>,
}

impl Live {
    /// A sequence of at most `length` calls.
    pub(crate) fn new(phase: Phase, length: usize) -> Self {
        Self {
            phase,
            history: Vec::with_capacity(length),
            outcomes: Vec::with_capacity(length),
            objects: Vec::with_capacity(length),
            agenda: VecDeque::new(),
            focus: None,
            drill: None,
            links: 0,
            later: VecDeque::new(),
            rounded: false,
            chain: false,
            subject: None,
            first: None,
            burst: 0,
            length,
            producers: Vec::new(),
            stray: Vec::new(),
        }
    }

    /// A sequence of at most `length` calls in which each tool is to work once.
    pub(crate) fn for_first(length: usize) -> Self {
        Self { first: Some(First::default()), ..Self::new(Phase::Stateful, length) }
    }

    /// Whether it has come to its end; a check that has begun is not cut short.
    pub(crate) fn is_over(&self) -> bool {
        let looks = |planned: &Planned| {
            matches!(planned, Planned::RepeatView { .. } | Planned::LookAtSubject { .. })
        };
        let left = (self.length + AFTER).saturating_sub(self.history.len());
        // What the latest change is looked at by comes right after it.
        let follows = |planned: &Planned| {
            matches!(
                planned,
                Planned::Again { role: Role::Call, .. } | Planned::About { role: Role::Call, .. }
            )
        };
        let more = |planned: &Planned| looks(planned) || (left > 0 && follows(planned));
        self.history.len() >= self.length && !self.agenda.front().is_some_and(more)
    }

    /// Puts a script before everything that is planned.
    pub(crate) fn put_first(&mut self, script: Vec<Planned>) {
        for planned in script.into_iter().rev() {
            self.agenda.push_front(planned);
        }
    }

    /// Whether the server is known to answer nothing any more, because the latest call blocks it.
    pub(crate) fn is_blocked(&self) -> bool {
        let last = self.history.last().map(|(_, exchange)| &exchange.reply);
        matches!(last, Some(Reply::Silence { responsive: false }))
    }

    /// The execution, at the end.
    pub(crate) fn into_execution(self) -> Execution {
        let (steps, exchanges) = self.history.into_iter().unzip();
        Execution {
            case: Case { phase: self.phase, steps },
            exchanges,
            outcomes: self.outcomes,
            stray: self.stray,
            closing: None,
        }
    }

    /// The execution so far.
    pub(crate) fn execution(&self) -> Execution {
        let (steps, exchanges) = self.history.iter().cloned().unzip();
        Execution {
            case: Case { phase: self.phase, steps },
            exchanges,
            outcomes: self.outcomes.clone(),
            stray: self.stray.clone(),
            closing: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lints::scene::exchange;
    use crate::sequence::template;
    use serde_json::json;

    /// Many faults may be found in one sequence, and answers may be long.
    #[test]
    fn what_is_kept_of_a_sequence_shares_its_exchanges() {
        let mut live = Live::new(Phase::Stateful, 1);
        let answer = exchange("tools/call", json!({}), Reply::Result(json!({"content": []})));
        live.outcomes.push(Outcome::of(&answer));
        let step = template::call("tool", json!({}), Vec::new(), Role::Call);
        live.history.push((step, Arc::new(answer)));
        let (one, other) = (live.execution(), live.execution());
        assert!(Arc::ptr_eq(&one.exchanges[0], &other.exchanges[0]));
        assert!(Arc::ptr_eq(&one.exchanges[0], &live.into_execution().exchanges[0]));
    }
}
