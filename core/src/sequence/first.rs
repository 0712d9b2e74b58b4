//! First successes: before anything is tried in depth, each tool is to work once. One long session goes from what opens and makes
//! things over what shows and changes them to what takes them away; what is refused is tried again at once, with what the refusal
//! says, and another round is worth it as long as something new works.

use super::intent::Verb;
use super::live::Live;
use super::mind::Mind;
use super::template::Planned;
use crate::case::Role;
use crate::catalog::Catalog;
use crate::outcome::OutcomeKind;
use std::cmp::Reverse;
use std::collections::VecDeque;

/// Words of tools that a session begins with.
const OPENING: &[&str] = &[
    "init",
    "initialize",
    "initialise",
    "setup",
    "configure",
    "login",
    "connect",
    "open",
    "load",
    "select",
    "activate",
    "use",
    "enable",
    "start",
    "begin",
];
/// Calls of a tool in one round.
const TRIES: u32 = 4;
/// The same for a tool that was refused in all earlier rounds.
const FEWER: u32 = 2;
/// Rounds of one sequence.
const ROUNDS: u32 = 4;
/// Tools that have worked and are called again for what they bring.
const MAKERS: usize = 24;

/// How likely optional arguments are in each try of a tool; the first is at index 1.
const OPTIONAL: &[f64] = &[0.2, 0.0, 0.4, 1.0];

/// What a sequence for first successes goes through.
#[derive(Debug, Default)]
pub(crate) struct First {
    /// The tools of the round that are still to come.
    queue: VecDeque<usize>,
    /// The tool at hand, how often it was called in this round, and the length of the history before.
    at: Option<(usize, u32, usize)>,
    round: u32,
    /// How many tools had worked when the round began.
    worked: usize,
}

/// What comes first among tools of one stage.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Order {
    /// What refers to the fewest things.
    Fewest(usize),
    /// What is about things that take the most to make, then what refers to the most.
    Deepest(Reverse<(usize, usize)>),
}

impl First {
    /// Which call in a row of the tool at hand is made next, from 1.
    pub(super) fn tries(&self) -> u32 {
        self.at.map_or(1, |(_, tries, _)| tries)
    }
}

impl Mind {
    /// Tools that may be called and have worked.
    pub(crate) fn worked(&self) -> usize {
        self.callable.iter().filter(|tool| self.feedback[**tool].ok > 0).count()
    }

    /// Whether some tool that may be called has not worked.
    pub(crate) fn wants_first(&self) -> bool {
        self.callable.iter().any(|tool| self.is_unproven(*tool))
    }

    fn is_unproven(&self, tool: usize) -> bool {
        self.feedback[tool].ok == 0 && !self.feedback[tool].is_slow()
    }

    /// The next call of a sequence for first successes; none where another round is of no use.
    pub(super) fn plan_first(&mut self, live: &mut Live, catalog: &Catalog) -> Option<Planned> {
        let mut first = live.first.take()?;
        let tool = self.next_first(&mut first, live, catalog);
        self.optional = OPTIONAL[first.tries() as usize % OPTIONAL.len()];
        live.first = Some(first);
        let tool = tool?;
        let step = self.latest_deletion(live).filter(|_| self.intents[tool].revives);
        Some(Planned::About { tool, step, role: Role::Call })
    }

    fn next_first(&mut self, first: &mut First, live: &Live, catalog: &Catalog) -> Option<usize> {
        if let Some((tool, tries, since)) = &mut first.at {
            let made = live.history.iter().zip(&live.outcomes).skip(*since);
            let works = made.into_iter().any(|((step, _), outcome)| {
                outcome.kind == OutcomeKind::Ok
                    && step.action.tool() == Some(&catalog.tools[*tool].name)
            });
            if !works && *tries < self.tries(*tool, first.round, catalog) {
                *tries += 1;
                return Some(*tool);
            }
        }
        if first.queue.is_empty() {
            let worked = self.worked();
            let useless = first.round > 0 && worked == first.worked;
            if useless || first.round == ROUNDS || !self.wants_first() {
                return None;
            }
            first.round += 1;
            first.worked = worked;
            first.queue = self.first_round(first.round, catalog);
        }
        let tool = first.queue.pop_front()?;
        first.at = Some((tool, 1, live.history.len()));
        Some(tool)
    }

    /// How often a tool is called in a round until it works.
    fn tries(&self, tool: usize, round: u32, catalog: &Catalog) -> u32 {
        let schema = catalog.tools[tool].input_schema();
        match schema.is_none_or(|schema| schema.parameters().is_empty()) {
            true => 1,
            false if !self.is_unproven(tool) => FEWER,
            false if round > 1 => FEWER,
            false => TRIES,
        }
    }

    /// The tools of a round: all that never worked, and those whose results they may need, in the order of [`Mind::stage`].
    fn first_round(&mut self, round: u32, catalog: &Catalog) -> VecDeque<usize> {
        let mut tools: Vec<(u8, Order, usize)> = Vec::new();
        let mut makers = 0;
        for tool in self.callable.clone() {
            let needs = self.needs(tool, catalog);
            // What opens nothing the first time may open things that are made by then.
            let opens = round <= 1 || needs == 0;
            let stage = self.stage(tool, opens, catalog);
            let brings = stage <= 2 && !self.feedback[tool].is_slow() && makers < MAKERS;
            if !self.is_unproven(tool) && !brings {
                continue;
            }
            makers += usize::from(!self.is_unproven(tool));
            // What belongs to others is taken away before them: it would go with them.
            let order = match self.intents[tool].verb {
                Verb::Delete => Order::Deepest(Reverse((self.needs_to_make(tool, catalog), needs))),
                _ => Order::Fewest(needs),
            };
            tools.push((stage, order, tool));
        }
        tools.sort_unstable();
        tools.into_iter().map(|(_, _, tool)| tool).collect()
    }

    /// How many things the arguments of a tool refer to.
    fn needs(&mut self, tool: usize, catalog: &Catalog) -> usize {
        let schema = catalog.tools[tool].input_schema();
        schema.map_or(0, |schema| self.references(tool, schema).len())
    }

    /// How many things it takes to make what a tool is about.
    fn needs_to_make(&mut self, tool: usize, catalog: &Catalog) -> usize {
        let makers = self.makers(self.intents[tool].nouns.last());
        makers.into_iter().map(|maker| self.needs(maker, catalog)).max().unwrap_or(0)
    }

    /// What comes first: openers, makers, lists, changes, looks, and in the end what takes things away and what brings them back.
    fn stage(&self, tool: usize, opens: bool, catalog: &Catalog) -> u8 {
        let words = crate::schema::key_tokens(&catalog.tools[tool].name);
        let opens = opens && words.first().is_some_and(|word| OPENING.contains(&word.as_str()));
        match self.intents[tool].verb {
            Verb::Delete => 5,
            _ if self.intents[tool].revives => 6,
            _ if opens => 0,
            Verb::Create => 1,
            Verb::List => 2,
            Verb::Update | Verb::Other => 3,
            Verb::Read => 4,
        }
    }
}
