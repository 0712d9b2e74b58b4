//! Offering: the value of one parameter, while the generator makes the arguments of a call.

use super::choose::{Choice, Chooser, Mood, SURE, Use};
use super::corpus::Entry;
use super::intent::Verb;
use super::links::ParamKey;
use crate::case::Binding;
use crate::generate::{Draw, Offer, Provider};
use crate::schema::Parameter;
use serde_json::Value;
use std::cell::RefCell;

/// Last words of names of parameters that take one of a few words, or text of a certain form: nothing new is to be made up for them.
const KINDS: &[&str] = &[
    "type",
    "kind",
    "mode",
    "format",
    "encoding",
    "strategy",
    "method",
    "operation",
    "operator",
    "style",
    "status",
    "state",
    "priority",
    "severity",
    "level",
    "language",
    "unit",
    "algorithm",
    "action",
    "role",
    "direction",
    "order",
    "range",
    "cell",
    "formula",
    "date",
    "time",
    "color",
    "delimiter",
    "url",
    "uri",
    "email",
    "currency",
    "timezone",
    "expression",
    "pattern",
    "position",
];

/// Last words of names of parameters whose text is for people.
const PROSE: &[&str] = &[
    "title",
    "text",
    "description",
    "content",
    "body",
    "note",
    "notes",
    "comment",
    "message",
    "summary",
    "subject",
    "question",
    "answer",
    "goal",
    "reason",
    "details",
    "label",
    "prompt",
    "thought",
];

/// How likely the name of something new is one that begins with another, and the longest name that it may begin with.
const NEIGHBOUR: f64 = 0.35;
const LONGEST_NAME: usize = 40;

/// How likely a search is for a text of something that is there.
const SOUGHT: f64 = 0.5;

/// How likely something new gets a name that may be left out.
const NAMED: f64 = 0.3;

/// A chooser lent to the generator, with random choices of its own.
pub(super) struct Offering<'c, 'a>(pub(super) RefCell<(&'c mut Chooser<'a>, Draw)>);

impl Provider for Offering<'_, '_> {
    fn offer(&self, at: &str, parameter: &Parameter, draw: &mut Draw) -> Option<Offer> {
        let (chooser, _) = &mut *self.0.borrow_mut();
        chooser.offer(at, parameter, draw).map(|value| Offer { value, source: 0 })
    }

    fn presence(&self, at: &str, parameter: &Parameter) -> Option<bool> {
        let (chooser, draw) = &mut *self.0.borrow_mut();
        if chooser.is_asked_for(parameter, draw) || chooser.gives_name(parameter, draw) {
            return Some(true);
        }
        chooser.omits(at, parameter, draw).then_some(false)
    }
}

impl Chooser<'_> {
    fn param(&mut self, parameter: &Parameter) -> ParamKey {
        let param = self.links.param(
            self.tool,
            self.intent,
            &parameter.pointer,
            !parameter.hints.is_empty(),
        );
        self.links.refresh(param);
        param
    }

    /// Whether an optional parameter is given because refusals asked for it. Now and then it is not: they may have asked for one of two.
    fn is_asked_for(&mut self, parameter: &Parameter, draw: &mut Draw) -> bool {
        let Some(advice) = self.advice.filter(|_| !parameter.required) else { return false };
        advice.demands(self.param(parameter)) && draw.chance(0.6)
    }

    /// Whether something new gets a name that may be left out: what is found by its name may be confused with others.
    fn gives_name(&mut self, parameter: &Parameter, draw: &mut Draw) -> bool {
        if parameter.required || self.intent.verb != Verb::Create || !is_name(parameter) {
            return false;
        }
        let param = self.param(parameter);
        !self.links.get(param).points_elsewhere() && draw.chance(NAMED)
    }

    /// Whether an optional parameter is left out because that works better.
    fn omits(&mut self, at: &str, parameter: &Parameter, draw: &mut Draw) -> bool {
        if parameter.required || matches!(self.mood, Mood::ExploreOne(_)) {
            return false;
        }
        let param = self.param(parameter);
        let links = self.links.get(param);
        // Nothing that it could name is there.
        let empty = links.points_elsewhere()
            && parameter.choices.is_empty()
            && !links.has_live(self.links, self.corpus, parameter.types);
        let omits = (empty && draw.chance(0.9)) || links.omit.sample(draw) > 0.85;
        if omits {
            self.note(param, Choice::Omit, at, Value::Null, None);
        }
        omits
    }

    /// For a tool that brings back what was deleted: what was, mostly the latest.
    fn gone(&self, param: ParamKey, parameter: &Parameter, draw: &mut Draw) -> Option<&Entry> {
        let names = self.links.get(param).points_elsewhere()
            || (parameter.required && super::words::is_reference(&parameter.name));
        let gone = self.corpus.gone();
        if !self.intent.revives || !names || gone.is_empty() || draw.chance(0.1) {
            return None;
        }
        let back = match self.steady {
            Some(tries) if tries < SURE => tries.saturating_sub(1) as usize,
            _ if draw.chance(0.25) => draw.index(gone.len()),
            _ => 0,
        };
        let value = &gone[gone.len().checked_sub(back + 1)?];
        let taken = self.uses.iter().any(|used| used.value == *value);
        let told = |entry: &&Entry| entry.value == *value && entry.step.is_some();
        let of_id = |entry: &&Entry| self.links.paths[entry.path.0 as usize].is_of_id();
        let entries = self.corpus.entries().iter().rev().filter(told).filter(|_| !taken);
        entries.clone().find(of_id).or_else(|| entries.clone().next())
    }

    /// A name at hand with the ending that refusals asked for: where a file was made or listed, it is there.
    fn file(&self, param: ParamKey, draw: &mut Draw) -> Option<&Entry> {
        let endings = self.advice.map(|advice| advice.endings(param)).unwrap_or_default();
        let share = if self.intent.verb == Verb::Create { 0.4 } else { 0.75 };
        if endings.is_empty() || !draw.chance(share) {
            return None;
        }
        let ends = |entry: &&Entry| {
            let told = !self.links.paths[entry.path.0 as usize].is_of_error();
            let text = entry.value.as_str().filter(|_| told && !entry.stale);
            text.is_some_and(|text| endings.iter().any(|ending| text.ends_with(ending)))
        };
        let files: Vec<&Entry> = self.corpus.entries().iter().rev().filter(ends).take(8).collect();
        draw.pick(&files).copied()
    }

    /// For what looks for things by words: a text of something that is there.
    fn sought(&self, parameter: &Parameter, draw: &mut Draw) -> Option<&Entry> {
        let words = parameter.required
            && parameter.types == crate::schema::JsonTypes::STRING
            && parameter.choices.is_empty()
            && parameter.format.is_none()
            && !super::words::is_reference(&parameter.name);
        if self.intent.verb != Verb::List || !words || !draw.chance(SOUGHT) {
            return None;
        }
        let is_text = |entry: &&Entry| {
            let path = &self.links.paths[entry.from.0 as usize];
            let leaf = path.path.rsplit(['/', '.']).next().unwrap_or_default();
            let fits = |text: &str| (3..=LONGEST_NAME).contains(&text.len());
            !entry.stale
                && entry.step.is_some()
                && entry.value.as_str().is_some_and(fits)
                && (leaf == "name" || PROSE.contains(&leaf))
        };
        let texts: Vec<&Entry> =
            self.corpus.entries().iter().rev().filter(is_text).take(8).collect();
        draw.pick(&texts).copied()
    }

    /// Whether a new thing, or what is to get a new name, is to get text that nothing else has: names must often be free.
    fn wants_fresh(&self, param: ParamKey, parameter: &Parameter, draw: &mut Draw) -> bool {
        let renames = parameter.tokens.len() > 1 && parameter.tokens[0] == "new";
        let share = match (renames, self.steady) {
            (true, _) => 0.75,
            (false, Some(SURE)) => 0.6,
            (false, _) => 0.4,
        };
        // A name that may be left out is one all the same.
        let names_it = is_name(parameter);
        (renames || self.intent.verb == Verb::Create)
            && parameter.types.contains(crate::schema::JsonTypes::STRING)
            && (renames || names_it || parameter.types == crate::schema::JsonTypes::STRING)
            && parameter.choices.is_empty()
            && parameter.format.is_none()
            && (renames || !super::words::is_reference(&parameter.name))
            && (renames || !self.links.get(param).points_elsewhere())
            && !parameter.tokens.last().is_some_and(|word| KINDS.contains(&word.as_str()))
            && draw.chance(share)
    }

    /// Now and then a name that begins with that of something that is there: what looks for the one may find the other.
    fn neighbour(&self, parameter: &Parameter, draw: &mut Draw) -> Option<Value> {
        if !draw.chance(NEIGHBOUR) {
            return None;
        }
        let start = fresh_start(parameter);
        let names = self.corpus.entries().iter().rev().filter(|entry| !entry.stale);
        let mut names = names.filter_map(|entry| entry.value.as_str());
        let name = names.find(|name| name.starts_with(&start) && name.len() <= LONGEST_NAME)?;
        Some(Value::from(super::namesakes::namesake(name)))
    }

    /// A value for a parameter; none where the schema serves best.
    fn offer(&mut self, at: &str, parameter: &Parameter, draw: &mut Draw) -> Option<Value> {
        let param = self.param(parameter);
        if self.wants_fresh(param, parameter, draw) {
            self.note(param, Choice::Schema, at, Value::Null, None);
            let neighbour = self.neighbour(parameter, draw);
            return Some(neighbour.unwrap_or_else(|| fresh_word(parameter, draw)));
        }
        let known =
            self.gone(param, parameter, draw).map(|entry| (Choice::Path(entry.path), entry));
        let known = known
            .or_else(|| self.file(param, draw).map(|entry| (Choice::Any(entry.path), entry)))
            .or_else(|| self.sought(parameter, draw).map(|entry| (Choice::Any(entry.path), entry)))
            .map(|(choice, entry)| (choice, entry.value.clone(), entry.binding(at)));
        if let Some((choice, value, binding)) = known {
            self.note(param, choice, at, value.clone(), binding);
            return Some(value);
        }
        let choice = self.pick(param, parameter, draw);
        let offered = self.value_of(choice, param, parameter, at, draw);
        let choice = if offered.is_none() { Choice::Schema } else { choice };
        let (value, binding) = offered.unwrap_or((Value::Null, None));
        self.note(param, choice, at, value.clone(), binding);
        (choice != Choice::Schema).then_some(value)
    }

    /// Remembers where a parameter's value came from, so that the answer can teach about it.
    fn note(
        &mut self,
        param: ParamKey,
        choice: Choice,
        at: &str,
        value: Value,
        binding: Option<Binding>,
    ) {
        self.uses.push(Use { param, choice, at: at.to_owned(), value, binding });
    }
}

/// Whether a parameter is the name of the thing itself.
fn is_name(parameter: &Parameter) -> bool {
    parameter.name == "name" || parameter.name == "title"
}

/// Text that nothing else has, after the parameter's name.
fn fresh_word(parameter: &Parameter, draw: &mut Draw) -> Value {
    Value::from(format!("{}{:04x}", fresh_start(parameter), draw.below(0x1_0000)))
}

/// How such text begins: with a capital, as names and sentences do. Only what people read has a space: names of branches, keys and
/// files rarely may.
fn fresh_start(parameter: &Parameter) -> String {
    let mut letters = parameter.name.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    let word: String = first.chain(letters).collect();
    let prose = parameter.tokens.last().is_some_and(|word| PROSE.contains(&word.as_str()));
    let between = if prose { ' ' } else { '-' };
    format!("{word}{between}")
}
