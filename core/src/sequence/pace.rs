//! Pace: what is due. Drills and checks fill the agenda, so that calls at edges and calls that the schema forbids would hardly get
//! their turn; between two checks they take it once they lag behind their share.

use super::bursts::BURST;
use super::live::Live;
use super::mind::Mind;
use super::template::Planned;
use crate::case::{Label, Phase, Role, Step};
use crate::catalog::Catalog;
use crate::outcome::OutcomeKind;

/// The share of calls that the schema forbids, while there are faults that were not tried.
const INVALID: f64 = 0.13;
/// The share of calls at edges, while there are telling ones that were not tried.
const EDGES: f64 = 0.15;
/// How likely a special check takes its turn between two others.
const SPECIAL: f64 = 0.3;
/// How likely what is due takes its turn between two changes of a chain.
const IN_CHAIN: f64 = 0.25;
/// Calls after which special checks are looked for again, once there were none.
const NOTHING_SPECIAL: u32 = 50;
/// Calls after which a sequence in which nothing was changed is like any other.
const SETTLED: usize = 8;
/// How likely any earlier look is taken again after a refused call, rather than the nearest.
const OTHER_LOOK: f64 = 0.3;
/// Under this name the looks after refused calls are counted.
const GLANCE: &str = "glance";

/// What was sent in stateful sequences so far.
#[derive(Debug, Default)]
pub(super) struct Pace {
    calls: u32,
    invalid: u32,
    edges: u32,
    /// Until so many calls were made, there is no special check left to be made.
    no_special_until: u32,
}

impl Pace {
    /// Counts a step of a stateful sequence.
    fn count(&mut self, step: &Step) {
        self.calls += 1;
        self.invalid += u32::from(!matches!(step.label, Label::Valid));
        self.edges += u32::from(matches!(step.role, Role::Boundary { .. }));
    }

    fn lacks(&self, done: u32, share: f64) -> bool {
        f64::from(done) < f64::from(self.calls) * share
    }
}

impl Mind {
    /// Counts a step that is about to be sent.
    pub(super) fn keep_pace(&mut self, step: &Step, live: &Live) {
        if live.phase == Phase::Stateful && step.action.tool().is_some() {
            self.pace.count(step);
        }
    }

    /// After a refused call: the look that was taken before it once more, where nothing else may have changed anything since. It
    /// costs one call; looks of its own would cost three. Tells whether it was planned.
    pub(super) fn plan_glance(
        &mut self,
        index: usize,
        tool: usize,
        live: &mut Live,
        catalog: &Catalog,
    ) -> bool {
        let reads = |mind: &Self, at: usize| mind.look_of(&live.history[at].0, catalog);
        let role = &live.history[index].0.role;
        if !matches!(role, Role::Call | Role::Boundary { .. }) || reads(self, index).is_some() {
            return false;
        }
        let mut looks: Vec<(bool, usize)> = Vec::new();
        for at in (0..index).rev() {
            let called = live.history[at].0.action.tool().is_some();
            match reads(self, at) {
                Some(reader) if live.outcomes[at].kind == OutcomeKind::Ok => {
                    looks.push((self.intents[reader].shares_noun(&self.intents[tool]), at));
                }
                Some(_) => {}
                None if called && !Self::is_refused_fault(live, at) => break,
                None => {}
            }
        }
        // Where nothing was made, only a look at such things may show something new.
        let any = looks.first().filter(|_| self.has_changed_something(live));
        let near = looks.iter().find(|(near, _)| *near).or(any).copied();
        // A count of everything may show what a list of such things does not.
        let other = near.is_some() && self.draw.chance(OTHER_LOOK);
        let near = if other { self.draw.pick(&looks).copied() } else { near };
        let glances = self.checks.get(&(tool, GLANCE)).copied().unwrap_or(0);
        // What a refusal leaves behind shows where it is the first one.
        let earlier = live.history[..index].iter().zip(&live.outcomes);
        let first = !earlier.into_iter().any(|((step, _), outcome)| {
            outcome.kind.is_refusal() && self.tool_of(step) == Some(tool)
        });
        let likely = if live.chain || first { 0.75 } else { 0.25 };
        let Some((_, step)) =
            near.filter(|_| self.draw.chance(if glances < 5 { 0.9 } else { likely }))
        else {
            return false;
        };
        *self.checks.entry((tool, GLANCE)).or_default() += 1;
        live.agenda.push_front(Planned::Again { step, role: Role::Call });
        true
    }

    /// Whether a call of the sequence made or changed something.
    fn has_changed_something(&self, live: &Live) -> bool {
        live.history.iter().zip(&live.outcomes).any(|((step, _), outcome)| {
            outcome.kind == OutcomeKind::Ok
                && self.tool_of(step).is_some_and(|tool| !self.intents[tool].looks_read_only())
        })
    }

    /// What lags behind its share, where a sequence is between two checks.
    pub(super) fn plan_due(&mut self, live: &mut Live, catalog: &Catalog) -> Option<Planned> {
        let between = matches!(live.agenda.front(), None | Some(Planned::Check { .. }));
        if !between || live.phase != Phase::Stateful || live.first.is_some() {
            return None;
        }
        // A chain has a pause after each look: most of them are for its next change.
        if live.chain && !self.draw.chance(IN_CHAIN) {
            return None;
        }
        // A call at an edge, or one that is to be refused for one thing that it names, needs the other things.
        if !live.producers.is_empty()
            || live.history.len() < SETTLED && !self.has_changed_something(live)
        {
            return None;
        }
        if self.phases.negative
            && self.pace.lacks(self.pace.invalid, INVALID)
            && let Some(tool) = self.least_broken()
        {
            // What a refused call leaves behind shows only between looks.
            let looks = !self.intents[tool].looks_read_only() && self.draw.chance(0.15);
            return Some(if looks {
                Planned::Check { tool, negative: true, tries: 0 }
            } else {
                live.burst = BURST;
                Planned::Negative { tool, role: Role::Call }
            });
        }
        if self.phases.boundary
            && self.pace.lacks(self.pace.edges, EDGES)
            && let Some(tool) = self.least_edged()
        {
            self.note_sweep(tool);
            return Some(Planned::About { tool, step: None, role: Role::Call });
        }
        if self.plan_other_client(live, catalog) {
            return live.agenda.pop_front();
        }
        if self.pace.calls < self.pace.no_special_until || !self.draw.chance(SPECIAL) {
            return None;
        }
        let special = self.plan_special(catalog);
        if special.is_none() {
            self.pace.no_special_until = self.pace.calls + NOTHING_SPECIAL;
        }
        special
    }
}
