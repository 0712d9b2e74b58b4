//! Looks: which tools show what a call did, and which looks of a sequence serve twice.

use super::intent::{Verb, list_switch};
use super::live::Live;
use super::mind::Mind;
use super::template::{self, Planned, Subject};
use crate::case::Role;
use crate::catalog::Catalog;
use crate::outcome::OutcomeKind;
use crate::schema::CompiledSchema;

/// Looks before and after a call that makes or changes something, and around one that takes something away.
const VIEWS: usize = 2;
const VIEWS_OF_COLLECTIONS: usize = 3;
/// How likely a check of several looks ends with the first of them once more.
const CLOSES: f64 = 0.25;
/// Looks by one tool at what another one does that are many.
const OFTEN: u32 = 4;
/// How likely there is one look less, once each reader has looked at what a tool does.
const FEWER: f64 = 0.7;
/// The number of a look that is not one of several.
const ALONE: u32 = 99;

/// Lists that are looked at when a sequence begins.
const FIRST_LOOKS: usize = 2;

impl Mind {
    /// The script of a check; looks that were taken just now are not taken again.
    pub(super) fn script(
        &mut self,
        check: &'static str,
        subject: Subject,
        anchor: Option<usize>,
        readers: &[usize],
        live: &Live,
    ) -> Vec<Planned> {
        let views = self.looked_just_now(check, anchor, readers, live);
        let mut script = if views.is_empty() {
            template::script(check, subject, anchor, readers)
        } else {
            template::after_looks(check, subject, &views)
        };
        // The first look once more: a read in between must have left what the call changed as it was.
        if (readers.len() > 1 || views.len() > 1) && self.draw.chance(CLOSES) {
            script.push(Planned::RepeatView { check, view: 0 });
        }
        script
    }

    /// The looks of a check that the sequence ends with, where they show what the next subject does as well: they are not taken
    /// again before it.
    fn looked_just_now(
        &mut self,
        check: &'static str,
        anchor: Option<usize>,
        readers: &[usize],
        live: &Live,
    ) -> Vec<u32> {
        let mut views = Vec::new();
        let mut serves = false;
        for at in (0..live.history.len()).rev() {
            let (step, _) = &live.history[at];
            let view = match &step.role {
                Role::Observe { check: own, view } if own == check => *view,
                _ => break,
            };
            let about = |anchor: usize| {
                live.objects[at].iter().any(|object| live.objects[anchor].contains(object))
            };
            let same = step.bindings.is_empty() || anchor.is_some_and(about);
            if views.contains(&view) || !same || live.outcomes[at].kind != OutcomeKind::Ok {
                return Vec::new();
            }
            serves |= self.tool_of(step).is_some_and(|reader| readers.contains(&reader));
            views.push(view);
        }
        views.reverse();
        if serves && self.draw.chance(0.8) { views } else { Vec::new() }
    }

    /// Tools that show what `tool` does: the one that reads such a thing if there is one, then those that looked least so far,
    /// near ones and those that need nothing made up first.
    pub(super) fn readers(&mut self, tool: usize, catalog: &Catalog) -> Vec<usize> {
        let intent = &self.intents[tool];
        let reads = |other: &usize| {
            let lists = list_switch(&catalog.tools[*other]).is_some();
            let tells = self.tells(*other, catalog);
            (*other != tool || lists || tells)
                && self.feedback[*other].ok > 0
                && !self.feedback[*other].is_slow()
                && (self.intents[*other].looks_read_only()
                    || catalog.tools[*other].hints.read_only
                    || lists
                    || tells)
        };
        let mut all: Vec<usize> = self.callable.iter().copied().filter(reads).collect();
        self.draw.shuffle(&mut all);
        let same = |other: usize| {
            let noun = self.intents[other].nouns.last();
            noun.is_some() && noun == intent.nouns.last()
        };
        let made_up = |other: usize| wants_words(other, catalog);
        // What shows the thing itself comes first: a read that is told which, else a list.
        let told = |other: usize| {
            same(other) && self.intents[other].verb == Verb::Read && refers(other, catalog)
        };
        let lists = |other: usize| {
            let switched = || list_switch(&catalog.tools[other]).is_some();
            same(other) && (self.intents[other].verb == Verb::List || switched())
        };
        // Whether one was made, even by a call that was refused, shows where all are listed.
        let readable = intent.verb != Verb::Create || !all.iter().any(|other| lists(*other));
        let readable = readable && all.iter().any(|other| told(*other) && !made_up(*other));
        let shows_it = |other: usize| if readable { told(other) } else { lists(other) };
        let anywhere = intent.looks_read_only() && self.draw.chance(0.5);
        all.sort_by_cached_key(|other| {
            let reads_it = shows_it(*other) && !anywhere;
            let near =
                self.intents[*other].shares_noun(intent) || refers_alike(tool, *other, catalog);
            let looked = self.looks.get(&(tool, *other)).copied().unwrap_or(0);
            let rank = u32::from(!near) + 2 * u32::from(made_up(*other));
            (!reads_it || made_up(*other), looked + rank)
        });
        let looked = |other: &usize| self.looks.get(&(tool, *other)).copied().unwrap_or(0);
        let often = all.first().is_some_and(|first| shows_it(*first) && looked(first) >= OFTEN);
        let most = match intent.verb {
            Verb::Delete => VIEWS_OF_COLLECTIONS,
            _ if self.modes[tool].is_some() => VIEWS_OF_COLLECTIONS,
            Verb::Read | Verb::List => 1,
            // Once the thing itself was looked at often, what else may show the change is looked at every other time.
            _ if often && self.draw.chance(0.5) => 1,
            _ => VIEWS,
        };
        // Once most of what may show it has had its turn, a call by another tool tells more than one more look.
        let known = all.iter().take(most).all(|reader| looked(reader) > 0);
        let fewer = most > 1 && known && self.draw.chance(FEWER);
        all.truncate(most - usize::from(fewer));
        for reader in &all {
            *self.looks.entry((tool, *reader)).or_default() += 1;
        }
        all
    }

    /// Plans the lists that need no argument: what they answer before anything was done tells what a later call broke.
    pub(crate) fn plan_first_looks(&mut self, live: &mut Live, catalog: &Catalog) {
        let fits = |tool: &usize| {
            let schema = catalog.tools[*tool].input_schema();
            self.intents[*tool].verb == Verb::List
                && self.feedback[*tool].ok > 0
                && !self.feedback[*tool].is_slow()
                && schema.is_some_and(|schema| schema.is_valid(&serde_json::json!({})))
        };
        let mut lists: Vec<usize> = self.callable.iter().copied().filter(fits).collect();
        self.draw.shuffle(&mut lists);
        for tool in lists.into_iter().take(FIRST_LOOKS) {
            let name = &catalog.tools[tool].name;
            let step = template::call(name, serde_json::json!({}), Vec::new(), Role::Call);
            live.agenda.push_back(Planned::Exact(Box::new(step)));
        }
    }

    /// A tool that reads what `tool` is about.
    pub(super) fn reader_for(&mut self, tool: usize, catalog: &Catalog) -> Option<usize> {
        let reads = |other: &usize| {
            *other != tool
                && self.intents[*other].looks_read_only()
                && (self.intents[*other].shares_noun(&self.intents[tool])
                    || (self.intents[tool].nouns.is_empty()
                        && self.intents[*other].verb == Verb::Read))
        };
        let mut readers: Vec<usize> = self.callable.iter().copied().filter(reads).collect();
        let one =
            |reader: &usize| self.intents[*reader].verb == Verb::Read && refers(*reader, catalog);
        if readers.iter().any(one) && self.draw.chance(0.6) {
            readers.retain(one);
        }
        self.draw.pick(&readers).copied()
    }

    /// A tool that reads what `tool` is about, and the role of the call: a tool that lists what it makes reads it by a look.
    pub(super) fn reader_or_list(
        &mut self,
        tool: usize,
        check: &'static str,
        catalog: &Catalog,
    ) -> Option<(usize, Role)> {
        let reader = self.reader_for(tool, catalog);
        let lists = list_switch(&catalog.tools[tool]).is_some();
        if lists && (reader.is_none() || self.draw.chance(0.7)) {
            return Some((tool, Role::Observe { check: check.to_owned(), view: ALONE }));
        }
        reader.map(|reader| (reader, Role::Call))
    }
}

/// The check that the sequence ended a look of.
pub(super) fn latest_look(live: &Live) -> Option<&str> {
    match &live.history.last()?.0.role {
        Role::Observe { check, .. } => Some(check),
        _ => None,
    }
}

/// Whether a tool must be told what it is about.
fn refers(tool: usize, catalog: &Catalog) -> bool {
    let schema = catalog.tools[tool].input_schema();
    let mut parameters = schema.into_iter().flat_map(CompiledSchema::parameters);
    parameters.any(|p| p.required && p.choices.is_empty())
}

/// Whether both tools must be told the same thing by the same name: what one does to it, the other may show.
pub(super) fn refers_alike(a: usize, b: usize, catalog: &Catalog) -> bool {
    let names = |tool: usize| {
        let schema = catalog.tools[tool].input_schema();
        let parameters = schema.into_iter().flat_map(CompiledSchema::parameters);
        parameters.filter(|p| p.required && super::words::is_reference(&p.name))
    };
    names(a).any(|own| names(b).any(|other| own.pointer == other.pointer))
}

/// Whether a call needs text or numbers of the caller's own: such a look rarely sees what is meant.
fn wants_words(tool: usize, catalog: &Catalog) -> bool {
    let Some(schema) = catalog.tools[tool].input_schema() else {
        return false;
    };
    let mut required = schema.parameters().iter().filter(|p| p.required);
    required.any(|p| p.choices.is_empty() && !super::words::is_reference(&p.name))
}
