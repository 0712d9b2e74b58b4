//! Openers: calls that a session needs before others work ("no project is set; call `set_project` first"). A refusal that names another
//! tool has that tool called and itself made once more; what helped is called at the start of every later sequence.

use super::feedback::error_text;
use super::live::Live;
use super::mind::Mind;
use super::template::Planned;
use crate::case::{Label, Phase, Role, Step};
use crate::outcome::{Outcome, OutcomeKind};
use rustc_hash::FxHashMap;

/// How often one tool is called because another's refusals name it.
const TRIES: u32 = 3;
/// Openers that are kept.
const KEPT: usize = 4;
/// How likely a sequence begins with the openers; without them a server's other side is seen.
const SHARE: f64 = 0.9;

/// What a call of an opener did for the call that named it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Help {
    /// It was refused for the same reason.
    None,
    /// It was refused for another reason: it came further.
    Further,
    /// It worked.
    Works,
}

/// What is known of openers.
#[derive(Debug, Default)]
pub(crate) struct Openers {
    /// The calls that helped, in the order in which they have to be made, and how much each did.
    steps: Vec<(Step, Help)>,
    /// How often a tool (second) was called because another's refusal (first) names it.
    tried: FxHashMap<(usize, usize), u32>,
    /// The refused step that is to be made again, and the tool called before.
    trial: Option<(usize, usize)>,
}

impl Openers {
    /// Whether there are none.
    pub(crate) fn are_none(&self) -> bool {
        self.steps.is_empty()
    }

    /// Whether a step is a call that others need.
    pub(crate) fn hold(&self, step: &Step) -> bool {
        self.steps.iter().any(|(opener, _)| opener.action == step.action)
    }
}

impl Mind {
    /// Plans the openers for the start of a sequence.
    pub(crate) fn open(&mut self, live: &mut Live) {
        self.openers.trial = None;
        if self.openers.steps.is_empty() || !self.draw.chance(SHARE) {
            return;
        }
        live.length += self.openers.steps.len();
        for (step, _) in self.openers.steps.iter().rev() {
            live.agenda.push_front(Planned::Exact(Box::new(step.clone())));
        }
    }

    /// Follows up a refusal that names another tool; tells whether it did.
    pub(super) fn try_opener(&mut self, live: &mut Live, index: usize, tool: usize) -> bool {
        let (step, exchange) = &live.history[index];
        if let Some((_, opener)) = self.awaited(live, index) {
            let asks_still = self.named(&error_text(exchange), tool) == Some(opener);
            self.settle_trial(live, index, if asks_still { Help::None } else { Help::Further });
            return false;
        }
        if step.label != Label::Valid
            || !matches!(step.role, Role::Call | Role::Boundary { .. })
            || !matches!(live.phase, Phase::Stateful | Phase::Examples)
        {
            return false;
        }
        let Some(named) = self.named(&error_text(exchange), tool) else { return false };
        let tried = self.openers.tried.entry((tool, named)).or_default();
        if *tried >= TRIES {
            return false;
        }
        *tried += 1;
        self.openers.trial = Some((index, named));
        live.length += 2;
        live.agenda.push_front(Planned::Again { step: index, role: Role::Call });
        live.agenda.push_front(self.opening(named));
        true
    }

    /// A call of an opener: one that worked, where one is known.
    fn opening(&self, tool: usize) -> Planned {
        let worked = self.exemplars.of(tool).iter().find_map(|exemplar| {
            exemplar.case.steps.last().filter(|step| step.bindings.is_empty())
        });
        match worked {
            Some(step) => Planned::Exact(Box::new(step.clone())),
            None => Planned::About { tool, step: None, role: Role::Call },
        }
    }

    /// Looks whether a call made again after another tool's goes better now.
    pub(super) fn confirm_opener(&mut self, live: &Live, index: usize, outcome: Outcome) {
        if outcome.kind == OutcomeKind::Ok {
            self.settle_trial(live, index, Help::Works);
        }
    }

    /// The trial, if the step is the one that it waits for: the refused call once more.
    fn awaited(&self, live: &Live, index: usize) -> Option<(usize, usize)> {
        let action = |step: usize| &live.history[step].0.action;
        self.openers
            .trial
            .filter(|(refused, _)| index > *refused && action(index) == action(*refused))
    }

    /// Ends the trial if the step is the one that it waits for.
    fn settle_trial(&mut self, live: &Live, index: usize, help: Help) {
        let Some((refused, opener)) = self.awaited(live, index) else { return };
        self.openers.trial = None;
        let is_opener = |step: &Step| self.tool_of(step) == Some(opener);
        let opened = (refused + 1..index).rev().find(|at| {
            is_opener(&live.history[*at].0) && live.outcomes[*at].kind == OutcomeKind::Ok
        });
        let step = opened.map(|at| &live.history[at].0).filter(|step| step.bindings.is_empty());
        let Some(step) = step.filter(|_| help != Help::None) else { return };
        let step = Step { role: Role::Call, group: None, ..step.clone() };
        match self.openers.steps.iter().position(|(known, _)| is_opener(known)) {
            // What lets a call work is better than what only brings it to another refusal.
            Some(at) if self.openers.steps[at].1 == Help::Further => {
                self.openers.steps[at] = (step, help);
            }
            None if self.openers.steps.len() < KEPT => self.openers.steps.push((step, help)),
            _ => {}
        }
    }

    /// The first other tool that a refusal names, if it may be called.
    fn named(&self, text: &str, own: usize) -> Option<usize> {
        let mut names = text.split(|c: char| !c.is_alphanumeric() && !"_-.".contains(c));
        names.find_map(|word| {
            let word = word.trim_matches(['.', '-']);
            // A plain word is a word, not a name.
            let is_name =
                word.contains(['_', '-', '.']) || word.chars().skip(1).any(char::is_uppercase);
            let tool = self.by_name.get(word).filter(|tool| is_name && **tool != own)?;
            self.callable.contains(tool).then_some(*tool)
        })
    }
}
