//! Chains: change after change to the things that a drill has made, with one look between each two of them. The look after one change
//! is the one before the next, so that half of the calls change something; each may meet what the ones before it left behind.

use super::feedback::tells_missing;
use super::intent::Verb;
use super::live::Live;
use super::mind::Mind;
use super::template::Planned;
use crate::case::{Label, Role};
use crate::catalog::Catalog;
use crate::outcome::OutcomeKind;
use serde_json::Value;

/// How likely what comes after a drill's checks is a change of a chain.
const CHAINS: f64 = 0.85;
/// The same in a sequence without a drill, which is there for odd values above all.
const CHAINS_IN_SWEEPS: f64 = 0.4;
/// How likely a chain at most gives way where tools have not worked, how much of that a share of such tools makes, and the calls after
/// which it no longer does for a tool.
const WAITS: f64 = 0.6;
const WAITS_FOR: f64 = 2.0;
const UNPROVEN: u32 = 40;
/// Under this name the changes made in chains are counted.
const CHAIN: &str = "chain";
/// How likely a change is looked at by the look that was taken before it, rather than by another one.
const SAME_LOOK: f64 = 0.75;
/// For one turn of what takes things away, the turns of what changes them.
const DELETES: u32 = 3;
/// How likely what the latest change took away is brought back.
const BACK_AGAIN: f64 = 0.6;
/// How likely the thing itself is read as well.
const READS_IT: f64 = 0.35;
/// How likely a read takes the place of a change, between the latest look and the same look again.
const READS: f64 = 0.2;
/// How likely it is searched for.
const SEARCHES: f64 = 0.2;
/// Calls after which a tool that never works is left out.
const TRIES: u32 = 12;
/// How likely what was refused is tried again, once what it was about was changed.
const REFUSED: f64 = 0.6;
/// How far back a refusal may be for that.
const BACK: usize = 24;

impl Mind {
    /// A read in the place of a change: what the latest look shows must stay as it is.
    fn read_as_link(&mut self, live: &mut Live, catalog: &Catalog) -> Option<Planned> {
        let latest = live.history.len().checked_sub(1)?;
        let (look, _) = &live.history[latest];
        let own = self.look_of(look, catalog)?;
        let fits = |tool: &usize| {
            *tool != own
                && !self.changes(*tool)
                && self.intents[*tool].verb != Verb::List
                && self.feedback[*tool].ok > 0
                && !self.feedback[*tool].is_slow()
        };
        let mut readers: Vec<usize> = self.callable.iter().copied().filter(fits).collect();
        self.draw.shuffle(&mut readers);
        let tool = readers.into_iter().min_by_key(|tool| self.chained(*tool))?;
        *self.checks.entry((tool, CHAIN)).or_default() += 1;
        live.agenda.push_back(Planned::Again { step: latest, role: Role::Call });
        let step = self.anchor(tool, live);
        Some(Planned::About { tool, step, role: Role::Call })
    }

    /// What comes next where a chain is due: its next change, or what was put off for it.
    pub(super) fn plan_link(&mut self, live: &mut Live, catalog: &Catalog) -> Option<Planned> {
        // What has never worked is not to wait for long.
        let waiting = self.callable.iter().filter(|tool| self.may_still_work(**tool)).count();
        #[expect(clippy::cast_precision_loss, reason = "a share of a few tools")]
        let share = waiting as f64 / self.callable.len() as f64;
        if waiting > 0 && self.draw.chance(WAITS.min(share * WAITS_FOR)) {
            return None;
        }
        let begun = live.links > 0;
        live.links = live.links.saturating_sub(1);
        if !begun && !live.later.is_empty() && self.plan_round(live, catalog) {
            return live.agenda.pop_front();
        }
        if !begun && let Some(put_off) = live.later.pop_front() {
            live.chain = false;
            live.agenda.append(&mut live.later);
            return Some(put_off);
        }
        let chains = if live.drill.is_some() { CHAINS } else { CHAINS_IN_SWEEPS };
        live.chain = begun || self.draw.chance(chains);
        live.chain.then(|| self.chain_link(live, catalog)).flatten()
    }

    /// Whether a tool has not worked, and was not tried often.
    fn may_still_work(&self, tool: usize) -> bool {
        let feedback = &self.feedback[tool];
        feedback.ok == 0 && feedback.calls < UNPROVEN && !feedback.is_slow()
    }

    /// The next change of a chain, by the tool that was chained least.
    pub(super) fn chain_link(&mut self, live: &mut Live, catalog: &Catalog) -> Option<Planned> {
        if self.draw.chance(READS)
            && let Some(read) = self.read_as_link(live, catalog)
        {
            return Some(read);
        }
        if self.draw.chance(REFUSED)
            && let Some((tool, step)) = self.refused_before(live)
        {
            return Some(Planned::About { tool, step: Some(step), role: Role::Call });
        }
        let mut tools = self.links_of(live);
        self.draw.shuffle(&mut tools);
        // What makes things is called often enough as it is, and what takes them away ends what chains are there for.
        let cost = |tool: &usize| match self.intents[*tool].verb {
            Verb::Create => 2 * self.chained(*tool) + 1,
            Verb::Delete => DELETES * (self.chained(*tool) + 1) - 1,
            _ => self.chained(*tool) / self.turns(*tool),
        };
        let next = tools.iter().copied().min_by_key(cost)?;
        let back = self.way_back(&tools, live, catalog).filter(|_| self.draw.chance(BACK_AGAIN));
        let tool = back.unwrap_or(next);
        *self.checks.entry((tool, CHAIN)).or_default() += 1;
        let gone = || self.latest_deletion(live).filter(|_| self.intents[tool].revives);
        let step = gone().or_else(|| self.anchor(tool, live));
        let link = Planned::About { tool, step, role: Role::Call };
        let looked =
            live.history.last().is_some_and(|(step, _)| self.look_of(step, catalog).is_some());
        if !looked && let Some(at) = step {
            let look = self.look_at_link(live, at, tool, catalog);
            live.agenda.extend(look);
            live.agenda.push_back(link);
            return live.agenda.pop_front();
        }
        Some(link)
    }

    /// A tool that may bring back what the latest change took away.
    fn way_back(&self, tools: &[usize], live: &Live, catalog: &Catalog) -> Option<usize> {
        let changes = |at: &usize| {
            let tool = self.tool_of(&live.history[*at].0);
            live.outcomes[*at].kind == OutcomeKind::Ok && tool.is_some_and(|t| self.changes(t))
        };
        let latest = (0..live.history.len()).rev().find(changes)?;
        let (step, _) = &live.history[latest];
        let took = self.verb_of(self.tool_of(step)?, step.action.arguments(), catalog);
        let revives = |tool: &&usize| self.intents[**tool].revives;
        tools.iter().find(revives).copied().filter(|_| took == Verb::Delete)
    }

    /// Tools that may change something of what the sequence has made, or bring back what it took away.
    fn links_of(&self, live: &Live) -> Vec<usize> {
        let deleter = self.latest_deletion(live).and_then(|at| self.tool_of(&live.history[at].0));
        let revivers = deleter.map(|deleter| self.revivers_of(deleter)).unwrap_or_default();
        let fits = |tool: &usize| {
            let feedback = &self.feedback[*tool];
            let suits = if self.intents[*tool].revives {
                revivers.contains(tool)
            } else {
                self.has_made(*tool, live)
            };
            self.changes(*tool)
                && suits
                && !feedback.is_slow()
                && (feedback.ok > 0 || feedback.calls < TRIES)
        };
        self.callable.iter().copied().filter(fits).collect()
    }

    /// A change that was refused for the state of what it is about ("open already") and not for anything missing, where that has been
    /// changed since: it may be allowed now. The tool, and the step that was refused.
    fn refused_before(&self, live: &Live) -> Option<(usize, usize)> {
        let count = live.history.len();
        let changer = |at: usize| self.tool_of(&live.history[at].0).filter(|t| self.changes(*t));
        let ok = |at: usize| live.outcomes[at].kind == OutcomeKind::Ok;
        let first = count.saturating_sub(BACK);
        let changed = (first..count).rev().find(|at| ok(*at) && changer(*at).is_some())?;
        let about = &live.objects[changed];
        let refused = |at: &usize| {
            let (step, exchange) = &live.history[*at];
            let alike = live.objects[*at].iter().any(|object| about.contains(object));
            live.outcomes[*at].kind.is_refusal()
                && step.label == Label::Valid
                && !step.bindings.is_empty()
                && alike
                && !tells_missing(exchange)
        };
        let at = (first..changed).rev().find(refused)?;
        let tool = changer(at).filter(|tool| Some(*tool) != changer(changed))?;
        let again = (changed..count).any(|at| changer(at) == Some(tool));
        (!again).then_some((tool, at))
    }

    /// After a change of a chain: what shows it.
    pub(super) fn look_after_link(
        &mut self,
        live: &mut Live,
        index: usize,
        tool: usize,
        catalog: &Catalog,
    ) {
        if self.plan_look_by_new_name(live, index, catalog) {
            return;
        }
        let look = self.look_at_link(live, index, tool, catalog);
        live.agenda.extend(look);
        let sent = live.history[index].0.action.arguments();
        if self.verb_of(tool, sent, catalog) == Verb::Delete {
            self.ask_for_gone(live, index, catalog);
            return;
        }
        if self.draw.chance(SEARCHES)
            && let Some(search) = self.search_for(tool, index, live, catalog)
        {
            live.agenda.push_back(Planned::Exact(Box::new(search)));
            return;
        }
        if self.draw.chance(READS_IT)
            && let Some(reader) = self.reader_of_one(tool)
        {
            let step = Some(index);
            live.agenda.push_back(Planned::About { tool: reader, step, role: Role::Call });
        }
    }

    /// After something was taken away: once more, made again in the same way, or read.
    fn ask_for_gone(&mut self, live: &mut Live, index: usize, catalog: &Catalog) {
        let next = match self.draw.index(8) {
            0..2 => Some(Planned::Again { step: index, role: Role::Call }),
            2..5 => self.made_again(live, index),
            5..7 => self.read_named(live, index, catalog),
            _ => None,
        };
        live.agenda.extend(next);
    }

    /// A look that shows what the step `at` is about: the latest one that named it once more, else another.
    fn look_at_link(
        &mut self,
        live: &Live,
        at: usize,
        tool: usize,
        catalog: &Catalog,
    ) -> Option<Planned> {
        let named = named_values(live, at);
        let shows = |step: usize| {
            let (look, exchange) = &live.history[step];
            if live.outcomes[step].kind != OutcomeKind::Ok || self.look_of(look, catalog).is_none()
            {
                return false;
            }
            let text = exchange.text();
            let sent = look.action.arguments().map(ToString::to_string).unwrap_or_default();
            named.iter().any(|name| text.contains(name) || sent.contains(name))
        };
        let lists = |step: usize| {
            let reader = self.tool_of(&live.history[step].0);
            reader.is_some_and(|reader| self.intents[reader].verb == Verb::List)
        };
        let mut found = None;
        for step in (0..live.history.len()).rev().filter(|step| shows(*step)) {
            if lists(step) {
                found = Some(step);
                break;
            }
            found = found.or(Some(step));
        }
        if let Some(step) = found.filter(|_| self.draw.chance(SAME_LOOK)) {
            return Some(Planned::Again { step, role: Role::Call });
        }
        let reader = self.readers(tool, catalog).first().copied();
        let reader = reader.or_else(|| self.reader_for(tool, catalog))?;
        Some(Planned::About { tool: reader, step: Some(at), role: Role::Call })
    }

    /// Whether a tool may change something.
    fn changes(&self, tool: usize) -> bool {
        !self.intents[tool].looks_read_only()
    }

    fn chained(&self, tool: usize) -> u32 {
        self.counted(tool, CHAIN)
    }
}

/// The words by which the things of a step are told apart: what its arguments took from earlier answers.
pub(super) fn named_values(live: &Live, at: usize) -> Vec<String> {
    let (step, _) = &live.history[at];
    let sent = step.action.arguments();
    let values = step.bindings.iter().filter_map(|binding| sent?.pointer(&binding.at));
    let words = values.filter_map(Value::as_str).filter(|text| text.len() > 1);
    words.map(str::to_owned).collect()
}
