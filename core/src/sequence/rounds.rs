//! Rounds: one look again and again, and between each two of them a tool that says that it only reads. What a read changes shows at the
//! cost of two calls for each, in the state that a chain of changes has left; a check of its own takes twice as many.

use super::live::Live;
use super::mind::Mind;
use super::template::Planned;
use crate::case::{Label, Role};
use crate::catalog::Catalog;
use crate::outcome::OutcomeKind;

/// Under this name the turns of reads are counted, and those of looks.
const ROUND: &str = "round";
const VIEW: &str = "view of a round";
/// Reads of one round, and rounds of one read.
const READS: usize = 4;
const MOST: u32 = 5;
/// How likely a check is left out that rounds make as well.
const SPARED: f64 = 0.6;

impl Mind {
    /// Plans a round, once in a sequence; tells whether it did.
    pub(super) fn plan_round(&mut self, live: &mut Live, catalog: &Catalog) -> bool {
        if std::mem::replace(&mut live.rounded, true) {
            return false;
        }
        let Some((view, own)) = self.view_of_round(live, catalog) else { return false };
        let mut reads: Vec<usize> = self.callable.clone();
        reads.retain(|tool| {
            *tool != own && self.says_it_reads(*tool, catalog) && self.counted(*tool, ROUND) < MOST
        });
        self.draw.shuffle(&mut reads);
        reads.sort_by_key(|tool| self.counted(*tool, ROUND));
        reads.truncate(READS);
        if reads.is_empty() {
            return false;
        }
        *self.checks.entry((own, VIEW)).or_default() += 1;
        let look = || Planned::Again { step: view, role: Role::Call };
        if view + 1 < live.history.len() {
            live.agenda.push_back(look());
        }
        for tool in reads {
            *self.checks.entry((tool, ROUND)).or_default() += 1;
            let step = self.anchor(tool, live);
            live.agenda.push_back(Planned::About { tool, step, role: Role::Call });
            live.agenda.push_back(look());
        }
        true
    }

    /// The latest look of the tool that was the view of the fewest rounds.
    fn view_of_round(&mut self, live: &Live, catalog: &Catalog) -> Option<(usize, usize)> {
        let mut views: Vec<(usize, usize)> = Vec::new();
        for (at, (step, _)) in live.history.iter().enumerate().rev() {
            let Some(tool) = self.tool_of(step).filter(|tool| self.says_it_reads(*tool, catalog))
            else {
                continue;
            };
            let fits = live.outcomes[at].kind == OutcomeKind::Ok
                && step.label == Label::Valid
                && !self.names_gone(step);
            if fits && views.iter().all(|(_, other)| *other != tool) {
                views.push((at, tool));
            }
        }
        self.draw.shuffle(&mut views);
        views.into_iter().min_by_key(|(_, tool)| self.counted(*tool, VIEW))
    }

    /// Whether a check whether a tool only reads is left out, since rounds tell that.
    pub(super) fn is_spared(&mut self, tool: usize) -> bool {
        self.counted(tool, ROUND) > 0 && self.draw.chance(SPARED)
    }

    fn says_it_reads(&self, tool: usize, catalog: &Catalog) -> bool {
        let feedback = &self.feedback[tool];
        catalog.tools[tool].hints.read_only && feedback.ok > 0 && !feedback.is_slow()
    }
}
