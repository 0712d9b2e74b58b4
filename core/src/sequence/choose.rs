//! Choosing arguments: for each parameter a source (an earlier answer, a known value, a hint, the schema), by what was learned.

use super::advice::Advice;
use super::corpus::{Corpus, Entry};
use super::folders::Folders;
use super::intent::Intent;
use super::links::{Links, ParamKey, PathKey};
pub use super::mood::Mood;
use super::offer::Offering;
use super::seeds;
use crate::case::Binding;
use crate::generate::{Bias, Draw, positive};
use crate::pointer::Places;
use crate::schema::{CompiledSchema, Parameter, files};
use rustc_hash::FxHashMap;
use serde_json::Value;
use std::cell::RefCell;

/// The try of a call whose success others wait for.
pub(super) const SURE: u32 = 9;
/// How likely two places of one call may be given the same thing.
const EQUAL: f64 = 0.12;

/// Where a parameter's value came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Choice {
    /// A value of an earlier exchange.
    Path(PathKey),
    /// A value of an earlier exchange outside of the likely paths.
    Any(PathKey),
    /// A value of an earlier successful call of the same parameter.
    Known,
    /// A value that the description suggests.
    Hint,
    /// A value made from the schema.
    Schema,
    /// Left out.
    Omit,
}

/// A choice as made, to learn from.
#[derive(Debug, Clone)]
pub struct Use {
    /// The parameter.
    pub param: ParamKey,
    /// What was chosen.
    pub choice: Choice,
    /// The exact JSON Pointer of the value.
    pub at: String,
    /// The value offered; null for the schema and for leaving out.
    pub value: Value,
    /// The binding, if the value came from an earlier exchange.
    pub binding: Option<Binding>,
}

/// What a sequence and a run know when arguments are chosen.
pub struct Chooser<'a> {
    /// What was learned.
    pub links: &'a mut Links,
    /// The values at hand.
    pub corpus: &'a Corpus,
    /// Values that worked, by parameter.
    pub known: &'a FxHashMap<ParamKey, Vec<Value>>,
    /// Objects and lists that the user gave for properties of the tool.
    pub whole: &'a [(String, Vec<Value>)],
    /// Objects and lists that the tool's schema shows.
    pub(crate) written: &'a [(String, Vec<Value>)],
    /// The tool's position in the catalog.
    pub tool: usize,
    /// What the tool is for.
    pub intent: &'a Intent,
    /// What refusals said would be right.
    pub(crate) advice: Option<&'a Advice>,
    /// Names of files of the kinds that the server works on.
    pub(crate) common: &'a [Value],
    /// Folders that the server spoke of.
    pub folders: Option<&'a Folders>,
    /// The object that the sequence is about for now.
    pub focus: Option<u32>,
    /// How adventurous this call is.
    pub mood: Mood,
    /// For a call that is to succeed above all: which try it is, from 1.
    pub(crate) steady: Option<u32>,
    /// Whether values of different things are to be mixed.
    pub apart: bool,
    /// The choices made so far.
    pub uses: Vec<Use>,
    /// The object of the first value taken from an answer.
    pub(super) anchor: Vec<u32>,
    /// Whether the anchor was given rather than found.
    strict: bool,
    /// Room for the sources that a parameter has.
    arms: Vec<(Choice, f32)>,
}

impl<'a> Chooser<'a> {
    /// A chooser for one call.
    pub fn new(
        links: &'a mut Links,
        corpus: &'a Corpus,
        known: &'a FxHashMap<ParamKey, Vec<Value>>,
        tool: usize,
        intent: &'a Intent,
    ) -> Self {
        Self {
            links,
            corpus,
            known,
            whole: &[],
            written: &[],
            common: &[],
            folders: None,
            advice: None,
            tool,
            intent,
            focus: None,
            mood: Mood::Exploit,
            steady: None,
            apart: false,
            uses: Vec::new(),
            anchor: Vec::new(),
            strict: false,
            arms: Vec::new(),
        }
    }

    /// Makes the call one about the given objects: values that belong to them are preferred.
    pub fn about(&mut self, objects: &[u32]) {
        self.anchor = objects.to_vec();
        self.strict = true;
    }

    /// Arguments that the schema allows, and the bindings of values that came from earlier exchanges.
    pub fn arguments(
        &mut self,
        schema: &CompiledSchema,
        draw: &mut Draw,
        optional: f64,
    ) -> Option<(Value, Vec<Binding>)> {
        let mut arguments = if self.mood == Mood::Random {
            positive(schema, draw, &Bias { optional, ..Bias::default() })?
        } else {
            let number = draw.bits();
            let own = draw.fork("presence", number);
            let calm = Bias { size: 1, edges: 0.0, naughty: 0.0, extra: 0.0, ..Bias::default() };
            let bias = if self.steady.is_some() { calm } else { Bias::default() };
            let offering = Offering(RefCell::new((&mut *self, own)));
            positive(
                schema,
                draw,
                &Bias { optional, hints: 0.1, provider: Some(&offering), ..bias },
            )?
        };
        if self.mood != Mood::Random {
            let share = if self.steady.is_some() { 0.8 } else { 0.3 };
            seeds::replace(self.written, schema, &mut arguments, share, draw);
            seeds::place(self.whole, schema, &mut arguments, draw);
        }
        self.uses.retain(|used| match used.choice {
            Choice::Omit => arguments.place(&used.at).is_none(),
            Choice::Schema => arguments.place(&used.at).is_some(),
            _ => arguments.place(&used.at) == Some(&used.value),
        });
        let mut bindings: Vec<Binding> =
            self.uses.iter().filter_map(|used| used.binding.clone()).collect();
        bindings.dedup_by(|a, b| a.at == b.at);
        Some((arguments, bindings))
    }

    pub(super) fn pick(
        &mut self,
        param: ParamKey,
        parameter: &Parameter,
        draw: &mut Draw,
    ) -> Choice {
        if let Some(path) = self.anchored(param, parameter).filter(|_| draw.chance(0.95)) {
            return Choice::Path(path);
        }
        let links = self.links.get(param);
        let settled = links.points_elsewhere()
            && links.has_live(self.links, self.corpus, parameter.types)
            && draw.chance(0.85);
        let explore =
            !settled && matches!(self.mood, Mood::ExploreOne(at) if at == self.uses.len());
        let has_known = self.known.get(&param).is_some_and(|values| !values.is_empty());
        let mut arms = std::mem::take(&mut self.arms);
        arms.clear();
        let mut offer = |choice: Choice, score: f32| arms.push((choice, score));
        if !settled {
            offer(Choice::Schema, if explore { 0.5 } else { links.schema.sample(draw) });
        }
        let hinted = !parameter.hints.is_empty() || !self.advised(param).is_empty();
        if hinted && !settled {
            offer(Choice::Hint, if explore { 0.5 } else { links.hints.sample(draw) });
        }
        let asked_for = self.steady.is_some() && !self.advised(param).is_empty();
        if asked_for && !settled && draw.chance(0.85) {
            return Choice::Hint;
        }
        if has_known {
            offer(Choice::Known, if explore { 0.5 } else { links.known.sample(draw) });
        }
        for (path, arm) in &links.paths {
            if (!settled || arm.is_likely()) && self.corpus.has_live(*path) {
                offer(Choice::Path(*path), if explore { 0.5 } else { arm.sample(draw) });
            }
        }
        if let Some(entry) = self.any_entry(parameter, draw).filter(|_| !settled) {
            offer(Choice::Any(entry), if explore { 0.5 } else { links.any.sample(draw) });
        }
        let best = if explore {
            draw.pick(&arms).copied()
        } else {
            // What words suggest is likelier to be right than what is only of the right type.
            if self.steady.is_some() && hinted && draw.chance(0.8) {
                arms.retain(|(choice, _)| !matches!(choice, Choice::Schema | Choice::Any(_)));
            }
            arms.iter().copied().reduce(|best, next| if next.1 > best.1 { next } else { best })
        };
        self.arms = arms;
        best.map_or(Choice::Schema, |(choice, _)| choice)
    }

    /// Whether the tool makes or shows folders rather than files.
    fn is_about_folders(&self) -> bool {
        self.intent.nouns.iter().any(|noun| noun == "directory" || noun == "folder")
    }

    /// What refusals said would be right for a parameter.
    fn advised(&self, param: ParamKey) -> &'a [Value] {
        self.advice.map(|advice| advice.of(param)).unwrap_or_default()
    }

    /// The likeliest path that has a value of the object that the call is about, for a parameter that points to something.
    fn anchored(&self, param: ParamKey, parameter: &Parameter) -> Option<PathKey> {
        let links = self.links.get(param);
        if !self.strict || !links.points_elsewhere() {
            return None;
        }
        let fits = |entry: &Entry| {
            !entry.stale
                && parameter.types.contains(crate::schema::JsonTypes::of(&entry.value))
                && entry.objects.iter().any(|object| self.anchor.contains(object))
        };
        let likely = links.likely().filter(|(path, _)| self.corpus.of_path(*path).any(fits));
        likely.max_by(|a, b| a.1.mean().total_cmp(&b.1.mean())).map(|(path, _)| *path)
    }

    /// The path of some value of the right type.
    fn any_entry(&self, parameter: &Parameter, draw: &mut Draw) -> Option<PathKey> {
        let entries = self.corpus.entries();
        if entries.is_empty() {
            return None;
        }
        let entry = &entries[draw.index(entries.len())];
        parameter.types.contains(crate::schema::JsonTypes::of(&entry.value)).then_some(entry.path)
    }

    /// The values of answers that other places of the call were given: two places for one kind of thing mostly mean two things.
    fn taken(&self, draw: &mut Draw) -> Vec<Value> {
        let told = |used: &&Use| matches!(used.choice, Choice::Path(_) | Choice::Any(_));
        let taken: Vec<Value> = self.uses.iter().filter(told).map(|u| u.value.clone()).collect();
        if taken.is_empty() || draw.chance(EQUAL) { Vec::new() } else { taken }
    }

    /// A value of the path: of the anchor's object or the focus object if there is one, else mostly a recent one.
    fn entry(
        &self,
        path: PathKey,
        parameter: &Parameter,
        taken: &[Value],
        draw: &mut Draw,
    ) -> Option<&'a Entry> {
        let revives = self.intent.revives && draw.chance(0.8) && self.corpus.has_stale();
        let stale = revives || draw.chance(0.08);
        let corpus = self.corpus;
        let fits = |entry: &&Entry| {
            (stale || !entry.stale)
                && !taken.contains(&entry.value)
                && (!revives || entry.stale)
                && parameter.types.contains(crate::schema::JsonTypes::of(&entry.value))
        };
        let anchored = !self.apart && !self.anchor.is_empty() && (self.strict || draw.chance(0.75));
        if anchored
            && let Some(entry) = corpus
                .of_path(path)
                .rev()
                .filter(fits)
                .find(|e| e.objects.iter().any(|o| self.anchor.contains(o)))
        {
            return Some(entry);
        }
        if let (Some(focus), true) = (self.focus, !self.apart && draw.chance(0.6))
            && let Some(entry) =
                corpus.of_path(path).rev().filter(fits).find(|e| e.objects.contains(&focus))
        {
            return Some(entry);
        }
        let mut all = corpus.of_path(path);
        if draw.chance(0.5) {
            return all.rev().find(fits);
        }
        // Nearly every value fits, so that one at random mostly does; otherwise those that do are counted.
        let one = all.nth(draw.index(corpus.count_of(path)))?;
        if fits(&one) {
            return Some(one);
        }
        let count = corpus.of_path(path).filter(fits).count();
        corpus.of_path(path).filter(fits).nth(draw.index(count))
    }

    pub(super) fn value_of(
        &mut self,
        choice: Choice,
        param: ParamKey,
        parameter: &Parameter,
        at: &str,
        draw: &mut Draw,
    ) -> Option<(Value, Option<Binding>)> {
        match choice {
            Choice::Schema | Choice::Omit => None,
            Choice::Hint => {
                let advised = self.advised(param);
                let advises =
                    parameter.hints.is_empty() || self.steady.is_some() || draw.chance(0.7);
                let hints = if !advised.is_empty() && advises { advised } else { &parameter.hints };
                let first = self.steady == Some(1) || (self.steady.is_some() && draw.chance(0.3));
                let at = if first { 0 } else { draw.index(hints.len()) };
                let common = files::is_path(parameter) && !self.common.is_empty();
                let hint = if common && (self.steady == Some(2) || draw.chance(0.25)) {
                    self.common[draw.index(self.common.len())].clone()
                } else {
                    hints[at].clone()
                };
                // A folder by the name of a file stands in the way of the file.
                let hint = if self.is_about_folders() { without_ending(hint) } else { hint };
                let folders = self.folders.filter(|folders| folders.serve(parameter));
                let placed = folders
                    .filter(|_| draw.chance(0.5))
                    .and_then(|folders| folders.place(&hint, draw.index(64)));
                Some((placed.unwrap_or(hint), None))
            }
            Choice::Known => {
                let values = self.known.get(&param)?;
                Some((values[draw.index(values.len())].clone(), None))
            }
            Choice::Path(path) | Choice::Any(path) => {
                let taken = self.taken(draw);
                let others: Vec<PathKey> = if taken.is_empty() {
                    Vec::new()
                } else {
                    self.links.get(param).likely().map(|(path, _)| *path).collect()
                };
                let entry = self
                    .entry(path, parameter, &taken, draw)
                    .or_else(|| others.iter().find_map(|p| self.entry(*p, parameter, &taken, draw)))
                    .or_else(|| self.entry(path, parameter, &[], draw))?;
                if self.anchor.is_empty() {
                    self.anchor.clone_from(&entry.objects);
                }
                let file =
                    self.folders.and_then(|folders| folders.file_in(&entry.value, parameter));
                if let Some(file) = file.filter(|_| !self.is_about_folders() && draw.chance(0.5)) {
                    return Some((file, None));
                }
                Some((entry.value.clone(), entry.binding(at)))
            }
        }
    }
}

/// A name without the ending that files have.
fn without_ending(name: Value) -> Value {
    match name.as_str().and_then(|text| text.rsplit_once('.')) {
        Some((stem, ending)) if !stem.is_empty() && ending.chars().all(char::is_alphanumeric) => {
            Value::from(stem)
        }
        _ => name,
    }
}
