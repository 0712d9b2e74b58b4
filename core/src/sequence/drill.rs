//! Drills: a sequence that begins with one kind of thing: two are made, then every tool about them is checked in turn. What one
//! call leaves behind for another shows only where both are about the same thing.

use super::intent::Verb;
use super::live::Live;
use super::mind::Mind;
use super::template::Planned;
use super::words::is_reference;
use crate::case::Role;
use crate::catalog::{Catalog, Tool};
use crate::schema::{key_tokens, singular};

/// Tools checked in one drill, besides the one that takes things away.
const TOOLS: usize = 3;
/// Things made first.
const THINGS: u8 = 2;
/// Changes in a row before the checks.
const LINKS: u8 = 7;
/// The same the first time that a kind of thing is drilled: limits show only where there are many.
const CROWD: u8 = 7;

impl Mind {
    /// Plans a drill of the kind of thing that was drilled least; nothing where no tool makes or changes anything.
    pub(crate) fn plan_drill(&mut self, live: &mut Live) {
        let Some(noun) = self.least_drilled() else {
            return;
        };
        let about = |tool: &usize| self.kinds[*tool].as_ref() == Some(&noun);
        let mut tools: Vec<usize> = self.callable.iter().copied().filter(about).collect();
        tools.retain(|tool| !self.feedback[*tool].is_slow());
        self.draw.shuffle(&mut tools);
        // A tool that does several things deserves several turns.
        let drilled =
            |tool: &usize| self.drills.get(tool).copied().unwrap_or(0) / self.turns(*tool);
        tools.sort_by_key(drilled);
        let deletes = |tool: &usize| self.intents[*tool].verb == Verb::Delete;
        let moded = tools.iter().copied().find(|tool| self.deletes_by_mode(*tool));
        let (mut last, mut tools): (Vec<usize>, Vec<usize>) = tools.into_iter().partition(deletes);
        last.extend(moded.filter(|_| last.is_empty()));
        tools.truncate(TOOLS);
        // What has never worked may need what the others do, so it comes after them.
        let never =
            |tool: &usize| self.feedback[*tool].ok == 0 && self.intents[*tool].verb == Verb::Update;
        let mut again: Vec<usize> = tools.iter().copied().filter(never).collect();
        tools.retain(|tool| !again.contains(tool));
        let first = again.clone();
        again.extend(first);
        tools.extend(again);
        tools.sort_by_key(|tool| stage(self.intents[*tool].verb));
        for tool in tools.iter().chain(last.first()) {
            *self.drills.entry(*tool).or_default() += 1;
        }
        // What one change leaves behind for another depends on which comes first.
        let before = self.orders.entry(noun.clone()).or_default();
        let first = before.is_empty();
        if !first {
            let place = |tool: &usize| before.iter().rev().position(|other| other == tool);
            tools.sort_by_key(|tool| (stage(self.intents[*tool].verb), place(tool)));
        }
        before.clone_from(&tools);
        let maker = self.maker(&noun);
        let slow = maker.is_some_and(|maker| self.feedback[maker].is_slow());
        let things = if first && !slow { CROWD } else { THINGS };
        let vary = |tool: usize| Planned::About { tool, step: None, role: Role::Call };
        let make = |tool: usize| Planned::Make { tool };
        // The first ones are what the drill needs; of a crowd every other one may be odd.
        let thing = |number: u8, tool: usize| {
            if number < THINGS || number.is_multiple_of(2) { make(tool) } else { vary(tool) }
        };
        live.agenda.extend((0..things).filter_map(|n| maker.map(|tool| thing(n, tool))));
        let check = |tool: usize| Planned::Check { tool, negative: false, tries: 0 };
        let checks = tools.into_iter().chain(last.first().copied()).map(check);
        let rest = checks.chain(maker.filter(|_| !last.is_empty()).map(make));
        // Once the checks were made of such things, what chains of changes leave behind comes first.
        if first {
            live.agenda.extend(rest);
        } else {
            live.links = LINKS;
            live.later.extend(rest);
        }
        live.drill = Some((noun, things));
    }

    /// How many turns a tool deserves for one of another: it may do several things.
    pub(super) fn turns(&self, tool: usize) -> u32 {
        let modes = self.modes[tool].as_ref().map_or(1, |modes| modes.values.len().clamp(1, 4));
        u32::try_from(modes).unwrap_or(1)
    }

    /// Notes the thing that a drill is about: the latest of those made for it.
    pub(super) fn note_subject(&self, live: &mut Live, step: usize, tool: usize) {
        let intent = &self.intents[tool];
        if let Some((noun, left)) = &mut live.drill
            && *left > 0
            && intent.verb == Verb::Create
            && intent.nouns.last() == Some(noun)
        {
            *left -= 1;
            live.subject = Some(step);
        }
    }

    /// The kind of thing, among those that some tool makes or changes, one of whose tools was drilled least.
    fn least_drilled(&mut self) -> Option<String> {
        let changes = |noun: &String| {
            self.callable.iter().any(|tool| {
                let intent = &self.intents[*tool];
                !intent.looks_read_only() && self.kinds[*tool].as_ref() == Some(noun)
            })
        };
        let mut counts: Vec<(u32, String)> = Vec::new();
        for tool in &self.callable {
            let Some(noun) = self.kinds[*tool].as_ref().filter(|noun| changes(noun)) else {
                continue;
            };
            let drilled = self.drills.get(tool).copied().unwrap_or(0);
            match counts.iter_mut().find(|(_, other)| other == noun) {
                Some((least, _)) => *least = drilled.min(*least),
                None => counts.push((drilled, noun.clone())),
            }
        }
        self.draw.shuffle(&mut counts);
        counts.into_iter().min_by_key(|(drilled, _)| *drilled).map(|(_, noun)| noun)
    }

    /// A tool that makes a thing of that kind.
    pub(super) fn maker(&mut self, noun: &String) -> Option<usize> {
        let mut makers = self.makers(Some(noun));
        makers.retain(|tool| !self.feedback[*tool].is_hopeless());
        self.likeliest(&makers)
    }

    /// All tools that are there to make things of that kind.
    pub(super) fn makers(&self, noun: Option<&String>) -> Vec<usize> {
        let makes = |tool: &usize| {
            let intent = &self.intents[*tool];
            intent.verb == Verb::Create && !intent.revives && intent.nouns.last() == noun
        };
        self.callable.iter().copied().filter(makes).collect()
    }

    /// Whether some mode of a tool takes things away.
    pub(super) fn deletes_by_mode(&self, tool: usize) -> bool {
        let modes = self.modes[tool].iter().flat_map(|modes| &modes.values);
        modes.into_iter().any(|(_, verb)| *verb == Verb::Delete)
    }
}

/// The kind of thing that each tool is about, by position: the last one it is named for that some tool makes; else the one that a
/// required parameter names, as the session of `send_input`; else the last one it is named for.
pub(super) fn kinds(catalog: &Catalog) -> Vec<Option<String>> {
    let makers: Vec<&String> = catalog
        .tools
        .iter()
        .filter(|tool| tool.intent.verb == Verb::Create && !tool.intent.revives)
        .filter_map(|tool| tool.intent.nouns.last())
        .collect();
    let named =
        |tool: &Tool| tool.intent.nouns.iter().rev().find(|noun| makers.contains(noun)).cloned();
    let referred = |tool: &Tool| {
        let schema = tool.input_schema()?;
        let required = schema.parameters().iter().filter(|p| p.required && p.choices.is_empty());
        let words = required.filter(|p| is_reference(&p.name)).flat_map(|p| key_tokens(&p.name));
        words.map(|word| singular(&word)).find(|word| makers.contains(&word))
    };
    let kind = |tool: &Tool| {
        named(tool).or_else(|| referred(tool)).or_else(|| tool.intent.nouns.last().cloned())
    };
    catalog.tools.iter().map(kind).collect()
}

/// What comes first: reads after changes, so that they meet what was changed.
fn stage(verb: Verb) -> u8 {
    match verb {
        Verb::Create => 0,
        Verb::Update => 1,
        Verb::Other => 2,
        Verb::Read | Verb::List => 3,
        Verb::Delete => 4,
    }
}
