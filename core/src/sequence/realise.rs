//! From a plan to a step.

use super::choose::Use;
use super::feedback::tells_missing;
use super::live::Live;
use super::mind::Mind;
use super::template::{self, Planned, check};
use crate::case::{Phase, Role, Step};
use crate::catalog::Catalog;
use crate::outcome::OutcomeKind;

/// Steps of the longest check.
const SCRIPT: usize = 12;

impl Mind {
    /// Turns a plan into a step; none where that is not possible now.
    pub(super) fn realise(
        &mut self,
        planned: Planned,
        live: &mut Live,
        catalog: &Catalog,
    ) -> Option<(Step, Vec<Use>)> {
        match planned {
            Planned::Exact(step) => {
                let tool = step.action.tool().and_then(|name| catalog.tool(name));
                // One slow example of a tool is enough, and one that names what is not there.
                let slow = tool.is_some_and(|tool| self.feedback[tool.index].is_slow());
                let vain = live.phase == Phase::Examples && named_nothing(live, &step);
                (!slow && !vain).then(|| (*step, Vec::new()))
            }
            Planned::Again { step, role } => {
                let (earlier, _) = live.history.get(step)?;
                Some((template::again(earlier, step, role), Vec::new()))
            }
            Planned::RepeatSubject { check } => {
                let subject = live.history.iter().rposition(
                    |(step, _)| matches!(&step.role, Role::Subject { check: c } if c == check),
                )?;
                let role = Role::Repeat { check: check.to_owned(), of: subject };
                Some((template::again(&live.history[subject].0, subject, role), Vec::new()))
            }
            Planned::RepeatView { check, view } => {
                self.repeated_view(live, check, view).map(|step| (step, Vec::new()))
            }
            Planned::LookAtSubject { check, reader, role } => {
                let subject = live.history.iter().rposition(|(step, _)| {
                    matches!(&step.role, Role::Subject { check: c } | Role::Repeat { check: c, .. } if c == check)
                })?;
                let made = live.outcomes[subject].kind == OutcomeKind::Ok;
                made.then(|| self.call(reader, Some(subject), role, live, catalog)).flatten()
            }
            Planned::About { tool, step, role } => {
                let again = Planned::About { tool, step: None, role: role.clone() };
                if step.is_none()
                    && role == Role::Call
                    && live.phase == Phase::Stateful
                    && self.insert_producer(tool, again, live, catalog)
                {
                    return None;
                }
                self.call(tool, step, role, live, catalog)
            }
            Planned::Make { tool } => self.sure_call(tool, live, catalog),
            Planned::Check { tool, negative, tries } => {
                self.plan_check(tool, negative, tries, live, catalog);
                None
            }
            Planned::Ring { .. }
            | Planned::Batch { .. }
            | Planned::Default { .. }
            | Planned::Stranger { .. } => self.realise_special(&planned, live, catalog),
            Planned::Negative { tool, role } => {
                let again = Planned::Negative { tool, role: role.clone() };
                if role == Role::Call
                    && live.phase == Phase::Stateful
                    && self.insert_producer(tool, again, live, catalog)
                {
                    return None;
                }
                self.negative_call(tool, role, live, catalog)
            }
        }
    }

    /// The same of checks that only some tools get.
    fn realise_special(
        &mut self,
        planned: &Planned,
        live: &mut Live,
        catalog: &Catalog,
    ) -> Option<(Step, Vec<Use>)> {
        match *planned {
            Planned::Ring { tool, tries } => {
                self.plan_ring(tool, tries, live, catalog);
            }
            Planned::Batch { tool } => {
                self.plan_batch(tool, live, catalog);
            }
            Planned::Default { tool }
                if !self.insert_producer(tool, planned.clone(), live, catalog) =>
            {
                *self.checks.entry((tool, check::DEFAULT)).or_default() += 1;
                self.plan_default(tool, live, catalog);
            }
            Planned::Stranger { tool }
                if !self.insert_producer(tool, planned.clone(), live, catalog) =>
            {
                return self.stranger(tool, live, catalog).map(|step| (step, Vec::new()));
            }
            _ => {}
        }
        None
    }

    /// A call that is to succeed above all; mostly with no more than it needs.
    fn sure_call(
        &mut self,
        tool: usize,
        live: &mut Live,
        catalog: &Catalog,
    ) -> Option<(Step, Vec<Use>)> {
        if live.phase == Phase::Stateful
            && self.insert_producer(tool, Planned::Make { tool }, live, catalog)
        {
            return None;
        }
        let optional = self.optional;
        if self.draw.chance(0.6) {
            self.optional = 0.0;
        }
        self.sure = true;
        let call = self.plain_call(tool, None, Role::Call, live, catalog);
        self.optional = optional;
        call
    }

    /// The latest look of a check once more, if it saw something, or what it looks at was brought back since.
    fn repeated_view(&self, live: &Live, check: &str, view: u32) -> Option<Step> {
        let look = live.history.iter().rposition(|(step, _)| {
            matches!(&step.role, Role::Observe { check: c, view: v } if c == check && *v == view)
        });
        // One that is farther back belongs to another check.
        let look = look.filter(|look| live.history.len() - look <= SCRIPT)?;
        let (earlier, _) = &live.history[look];
        let revives = |at: &usize| {
            let tool = self.tool_of(&live.history[*at].0);
            live.outcomes[*at].kind == OutcomeKind::Ok
                && tool.is_some_and(|tool| self.intents[tool].revives)
        };
        let seen = live.outcomes[look].kind == OutcomeKind::Ok;
        let seen = seen || (look + 1..live.history.len()).any(|at| revives(&at));
        seen.then(|| template::again(earlier, look, earlier.role.clone()))
    }
}

/// Whether the latest call of the same tool was refused since what it named is not there.
fn named_nothing(live: &Live, step: &Step) -> bool {
    let alike = |at: &usize| live.history[*at].0.action.tool() == step.action.tool();
    let latest = (0..live.history.len()).rev().find(alike).filter(|_| step.action.tool().is_some());
    latest
        .is_some_and(|at| live.outcomes[at].kind.is_refusal() && tells_missing(&live.history[at].1))
}
