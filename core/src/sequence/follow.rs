//! Following: what is worth a call right after a change that succeeded.

use super::chain;
use super::intent::Verb;
use super::live::Live;
use super::mind::Mind;
use super::template::{self, Planned, check};
use crate::case::{Label, Phase, Role};
use crate::catalog::Catalog;
use crate::mask::masked;
use crate::outcome::OutcomeKind;
use serde_json::Value;

/// Calls after which a tool that never works is no longer tried after each change.
const MOST_WAITS: u32 = 30;
/// How often what is offered is asked for right after a tool's success.
const OFFERS: u32 = 1;
/// How likely a list of other things is looked at after an odd value, where none of such things is at hand.
const OTHER_LISTS: f64 = 0.25;
/// Under this name the looks after reads are counted, and how many of them a tool's reads get.
const SECOND_LOOK: &str = "second look";
const SECOND_LOOKS: u32 = 6;

impl Mind {
    /// Plans what is worth a look right after a success.
    pub(super) fn follow_up(
        &mut self,
        live: &mut Live,
        index: usize,
        tool: usize,
        catalog: &Catalog,
    ) {
        let intent = &self.intents[tool];
        if intent.looks_read_only() {
            self.plan_second_look(live, index, tool);
            return;
        }
        self.note_subject(live, index, tool);
        let step = &live.history[index].0;
        let verb = self.verb_of(tool, step.action.arguments(), catalog);
        let free = match (&step.role, live.agenda.front()) {
            (Role::Call | Role::Boundary { .. }, None) => true,
            // What an odd value did shows in a look alone; what comes next can wait, unless it belongs to a check.
            (Role::Boundary { .. }, Some(next)) => matches!(
                next,
                Planned::Check { .. }
                    | Planned::Make { .. }
                    | Planned::About { role: Role::Call, .. }
            ),
            _ => false,
        };
        if live.phase != Phase::Stateful {
            return;
        }
        let plain = matches!(step.role, Role::Call | Role::Boundary { .. });
        self.plan_resources(live, index, (tool, verb), catalog);
        if plain {
            self.plan_offer(live, tool);
        } else if verb == Verb::Update {
            self.plan_look_by_new_name(live, index, catalog);
        }
        let between = matches!(
            live.agenda.front(),
            None | Some(Planned::Make { .. } | Planned::Check { .. })
        );
        if plain && between && verb == Verb::Create && self.plan_namesake(live, index, tool) {
            return;
        }
        if !free {
            return;
        }
        let rest = std::mem::take(&mut live.agenda);
        self.follow_change(live, index, tool, verb, catalog);
        live.agenda.extend(rest);
    }

    /// Plans what is worth a look right after a change.
    fn follow_change(
        &mut self,
        live: &mut Live,
        index: usize,
        tool: usize,
        verb: Verb,
        catalog: &Catalog,
    ) {
        if matches!(verb, Verb::Create | Verb::Update) {
            live.focus = live.objects.last().and_then(|objects| objects.last().copied());
        }
        if self.plan_twice(live, index, tool, catalog) {
            return;
        }
        if self.intents[tool].revives {
            let read = self.read_returned(live, index, catalog);
            live.agenda.extend(read);
        }
        if live.chain {
            self.look_after_link(live, index, tool, catalog);
            return;
        }
        if verb == Verb::Create && self.plan_partial_change(live, index, tool, catalog) {
            return;
        }
        if let Some(tool) = self.waiting_for(tool) {
            // What has never worked may need just this change.
            live.agenda.push_back(Planned::About { tool, step: Some(index), role: Role::Call });
            return;
        }
        if !self.plan_read_check(live, index, tool, catalog) {
            self.plan_look(live, index, tool, catalog);
        }
    }

    /// After a read that brought something new: the look that was taken right before it once more. The read must have left what that
    /// one shows as it was, which is likeliest to fail where the read had something to tell.
    fn plan_second_look(&mut self, live: &mut Live, index: usize, tool: usize) {
        let done = self.checks.get(&(tool, SECOND_LOOK)).copied().unwrap_or(0);
        let between = matches!(live.agenda.front(), None | Some(Planned::Check { .. }));
        if !between || done >= SECOND_LOOKS || live.phase != Phase::Stateful {
            return;
        }
        let own = &live.history[index];
        let earlier =
            live.history[..index].iter().rev().find(|(step, _)| step.action == own.0.action);
        let new = earlier.is_none_or(|(_, seen)| masked(seen) != masked(&own.1));
        let look = index.checked_sub(1).filter(|at| {
            let (step, _) = &live.history[*at];
            let other = self.tool_of(step);
            live.outcomes[*at].kind == OutcomeKind::Ok
                && step.label == Label::Valid
                && other.is_some_and(|other| other != tool && self.intents[other].looks_read_only())
        });
        if let Some(step) = look.filter(|_| new && self.draw.chance(0.5)) {
            *self.checks.entry((tool, SECOND_LOOK)).or_default() += 1;
            live.agenda.push_front(Planned::Again { step, role: Role::Call });
        }
    }

    /// After one of a tool's first successes: what is offered then?
    fn plan_offer(&mut self, live: &mut Live, tool: usize) {
        let asked = self.checks.entry((tool, check::OFFERED)).or_default();
        if *asked < OFFERS {
            *asked += 1;
            live.agenda.push_front(Planned::Exact(Box::new(template::look_at_offer())));
        }
    }

    /// After a change: a tool that changes such a thing, too, and has never worked.
    fn waiting_for(&mut self, tool: usize) -> Option<usize> {
        let intent = &self.intents[tool];
        let noun = intent.nouns.last().filter(|_| intent.verb == Verb::Update)?;
        let waits = |other: &usize| {
            let (feedback, other) = (&self.feedback[*other], &self.intents[*other]);
            other.verb == Verb::Update
                && other.nouns.last() == Some(noun)
                && feedback.ok == 0
                && feedback.calls < MOST_WAITS
                && !feedback.is_slow()
        };
        let waiting: Vec<usize> = self.callable.iter().copied().filter(waits).collect();
        self.draw.pick(&waiting).copied()
    }

    fn plan_look(&mut self, live: &mut Live, index: usize, tool: usize, catalog: &Catalog) {
        let edge = matches!(live.history[index].0.role, Role::Boundary { .. });
        let arguments = live.history[index].0.action.arguments();
        if self.verb_of(tool, arguments, catalog) == Verb::Delete {
            let revivers = self.revivers_of(tool);
            let next = match (self.draw.index(10), self.draw.pick(&revivers)) {
                (0..3, _) => Some(Planned::Again { step: index, role: Role::Call }),
                (3..5, Some(tool)) => {
                    let (tool, step) = (*tool, Some(index));
                    Some(Planned::About { tool, step, role: Role::Call })
                }
                (3..7, _) => self.made_again(live, index),
                _ => self.read_named(live, index, catalog),
            };
            live.agenda.extend(next);
        }
        // What lists everything must cope with every value.
        if edge
            && self.draw.chance(0.4)
            && let Some(step) = self.latest_list(live, index, tool)
        {
            live.agenda.push_back(Planned::Again { step, role: Role::Call });
        }
        if self.draw.chance(0.25)
            && let Some(search) = self.search_for(tool, index, live, catalog)
        {
            live.agenda.push_back(Planned::Exact(Box::new(search)));
            return;
        }
        if self.draw.chance(if edge { 0.8 } else { 0.4 })
            && let Some((tool, role)) = self.reader_after(tool, edge, catalog)
        {
            live.agenda.push_back(Planned::About { tool, step: Some(index), role });
        }
    }

    /// What shows a change, and as what: after an odd value the thing itself, if that can be read.
    fn reader_after(
        &mut self,
        tool: usize,
        edge: bool,
        catalog: &Catalog,
    ) -> Option<(usize, Role)> {
        let one = if edge { self.reader_of_one(tool) } else { None };
        match one {
            Some(reader) => Some((reader, Role::Call)),
            None => self.reader_or_list(tool, check::CREATE, catalog),
        }
    }

    /// The latest list that worked and is likely to show what the step `index` was about: of that kind of thing, and of everything or of
    /// what the step named. Now and then, where there is none, one of other things.
    fn latest_list(&mut self, live: &Live, index: usize, tool: usize) -> Option<usize> {
        let named = chain::named_values(live, index);
        let reader = |step: usize| {
            let (look, answer) = &live.history[step];
            let sent = look.action.arguments().and_then(Value::as_object)?;
            let is_named = |value: &Value| named.iter().any(|name| value == name.as_str());
            let shows = || {
                let text = answer.text();
                sent.values().all(is_named) || named.iter().any(|name| text.contains(name))
            };
            self.tool_of(look).filter(|reader| {
                live.outcomes[step].kind == OutcomeKind::Ok
                    && self.intents[*reader].verb == Verb::List
                    && (sent.is_empty() || shows())
            })
        };
        let noun = self.intents[tool].nouns.last();
        let kin =
            |step: &usize| reader(*step).is_some_and(|r| self.intents[r].nouns.last() == noun);
        let steps = || (0..live.history.len()).rev();
        let found = steps().find(kin);
        let other = || steps().find(|step| reader(*step).is_some());
        let other = if found.is_none() { other() } else { None };
        found.or_else(|| other.filter(|_| self.draw.chance(OTHER_LISTS)))
    }
}
