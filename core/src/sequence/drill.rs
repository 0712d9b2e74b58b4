//! Drills: a sequence that begins with one kind of thing: two are made, then every tool about them is checked in turn. What one
//! call leaves behind for another shows only where both are about the same thing.

use super::intent::Verb;
use super::live::Live;
use super::mind::Mind;
use super::template::Planned;
use crate::case::Role;

/// Tools checked in one drill, besides the one that takes things away.
const TOOLS: usize = 5;
/// Things made first.
const THINGS: u8 = 2;

impl Mind {
    /// Plans a drill of the kind of thing that was drilled least; nothing where no tool makes or changes anything.
    pub(crate) fn plan_drill(&mut self, live: &mut Live) {
        let Some(noun) = self.least_drilled() else {
            return;
        };
        let about = |tool: &usize| self.intents[*tool].nouns.last() == Some(&noun);
        let mut tools: Vec<usize> = self.callable.iter().copied().filter(about).collect();
        tools.retain(|tool| !self.feedback[*tool].is_slow());
        self.draw.shuffle(&mut tools);
        tools.sort_by_key(|tool| self.drills.get(tool).copied().unwrap_or(0));
        let deletes = |tool: &usize| self.intents[*tool].verb == Verb::Delete;
        let (last, mut tools): (Vec<usize>, Vec<usize>) = tools.into_iter().partition(deletes);
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
        let maker = self.maker(&noun);
        let make = |tool: usize| Planned::About { tool, step: None, role: Role::Call };
        live.agenda.extend((0..THINGS).filter_map(|_| maker.map(make)));
        let check = |tool: usize| Planned::Check { tool, negative: false, tries: 0 };
        live.agenda.extend(tools.into_iter().chain(last.first().copied()).map(check));
        live.agenda.extend(maker.filter(|_| !last.is_empty()).map(make));
        live.drill = Some((noun, THINGS));
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
                !intent.looks_read_only() && intent.nouns.last() == Some(noun)
            })
        };
        let mut counts: Vec<(u32, String)> = Vec::new();
        for tool in &self.callable {
            let Some(noun) = self.intents[*tool].nouns.last().filter(|noun| changes(noun)) else {
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
        let makes = |tool: &usize| {
            let intent = &self.intents[*tool];
            intent.verb == Verb::Create
                && !intent.revives
                && intent.nouns.last() == Some(noun)
                && !self.feedback[*tool].is_hopeless()
        };
        let makers: Vec<usize> = self.callable.iter().copied().filter(makes).collect();
        self.draw.pick(&makers).copied()
    }
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
