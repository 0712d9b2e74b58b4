//! Bursts: calls that the schema forbids, several in a row, and one look at what they left behind. Nearly all are refused before
//! anything is done, so that a look after each would be a waste; where the look differs, each is made again with a look of its own.

use super::live::Live;
use super::mind::Mind;
use super::template::Planned;
use crate::case::{Label, Role};
use crate::catalog::Catalog;
use crate::mask::masked;
use crate::outcome::OutcomeKind;

/// Calls of a burst after the first one.
pub(super) const BURST: u8 = 2;
/// Under this name it is counted how often a reader's answer made calls suspicious, and how often it may.
const SUSPECTS: &str = "suspects";
const MOST: u32 = 3;

impl Mind {
    /// After a refused call that the schema forbids: the next one of its burst. Tells whether it was planned.
    pub(super) fn plan_another_fault(&mut self, live: &mut Live) -> bool {
        let forbidden = live.history.last().is_some_and(|(step, _)| step.label != Label::Valid);
        if !forbidden || live.burst == 0 {
            return false;
        }
        live.burst -= 1;
        let tool = self.least_broken();
        if let Some(tool) = tool {
            live.agenda.push_front(Planned::Negative { tool, role: Role::Call });
        }
        tool.is_some()
    }

    /// Whether a step is a call that the schema forbids and that was refused.
    pub(super) fn is_refused_fault(live: &Live, at: usize) -> bool {
        live.history[at].0.label != Label::Valid && live.outcomes[at].kind.is_refusal()
    }

    /// After a look that differs from the same look before a burst: each call of the burst once more, with a look after it, so that
    /// it shows which one did it.
    pub(super) fn plan_suspects(&mut self, live: &mut Live, index: usize, catalog: &Catalog) {
        let (look, exchange) = &live.history[index];
        let Some(reader) = self.look_of(look, catalog).filter(|_| look.role == Role::Call) else {
            return;
        };
        let earlier = (0..index).rev().find(|at| live.history[*at].0.action == look.action);
        let Some(before) = earlier.filter(|at| live.outcomes[*at].kind == OutcomeKind::Ok) else {
            return;
        };
        let changes = |at: &usize| {
            let step = &live.history[*at].0;
            step.action.tool().is_some() && self.look_of(step, catalog).is_none()
        };
        let suspects: Vec<usize> = (before + 1..index).filter(changes).collect();
        let refused = suspects.iter().all(|at| live.outcomes[*at].kind.is_refusal());
        if !refused || suspects.len() < 2 || masked(&live.history[before].1) == masked(exchange) {
            return;
        }
        let times = self.checks.entry((reader, SUSPECTS)).or_default();
        *times += 1;
        if *times > MOST {
            return;
        }
        let again = |step: usize| Planned::Again { step, role: Role::Call };
        live.put_first(suspects.into_iter().flat_map(|at| [again(at), again(index)]).collect());
    }
}
