//! The corpus: values that this sequence's answers brought, with where they came from and what they belong to.

use super::links::PathKey;
use crate::case::{Binding, Source};
use serde_json::Value;

/// A value that may serve as an argument.
#[derive(Debug, Clone)]
pub struct Entry {
    /// The value.
    pub value: Value,
    /// The first of the paths that stand for the same thing as its own, for what was learned of them.
    pub path: PathKey,
    /// Its own path.
    pub from: PathKey,
    /// The step whose exchange held it; none for seeds, resources and completions.
    pub step: Option<usize>,
    /// Where in that exchange.
    pub source: Source,
    /// The enclosing objects, innermost first, numbered within the sequence.
    pub objects: Vec<u32>,
    /// Whether what it names was deleted.
    pub stale: bool,
}

impl Entry {
    /// The binding that brings the value to the place `at` (a JSON Pointer) in another step's arguments, if a step gave it.
    pub(super) fn binding(&self, at: &str) -> Option<Binding> {
        let from = self.source.clone();
        self.step.map(|step| Binding { at: at.to_owned(), step, from })
    }
}

/// How many values of one path are kept.
const PER_PATH: usize = 64;

/// The values of a sequence. Reset with each fresh session; what was learned of paths stays in [`super::links::Links`].
#[derive(Debug, Default)]
pub struct Corpus {
    entries: Vec<Entry>,
    by_path: Vec<Vec<u32>>,
    objects: u32,
    /// What was taken away and not brought back, oldest first.
    gone: Vec<Value>,
    /// Values that ever entered, over all sequences.
    pub total: u64,
    /// What entered since the last look, where somebody wants to know.
    pub news: Option<Vec<(PathKey, Value)>>,
}

impl Corpus {
    /// An empty corpus; one that is `watched` keeps what enters until somebody takes it.
    pub fn new(watched: bool) -> Self {
        Self { news: watched.then(Vec::new), ..Self::default() }
    }

    /// Forgets every value.
    pub fn reset(&mut self) {
        self.entries.clear();
        self.by_path.clear();
        self.gone.clear();
        self.objects = 0;
    }

    /// Reserves numbers for the objects of one exchange; add the result to its own numbers.
    pub fn reserve_objects(&mut self, count: u32) -> u32 {
        let base = self.objects;
        self.objects += count + 1;
        base
    }

    /// Adds a value; returns whether it is new for its path.
    pub fn add(&mut self, entry: Entry) -> bool {
        if !self.wants(entry.path, &entry.value) {
            return false;
        }
        let path = entry.path.0 as usize;
        if self.by_path.len() <= path {
            self.by_path.resize_with(path + 1, Vec::new);
        }
        if let Some(news) = &mut self.news {
            news.push((entry.from, entry.value.clone()));
        }
        self.by_path[path].push(u32::try_from(self.entries.len()).unwrap_or(u32::MAX));
        self.entries.push(entry);
        self.total += 1;
        true
    }

    /// Whether a value would be new for its path.
    pub fn wants(&self, path: PathKey, value: &Value) -> bool {
        let known = self.by_path.get(path.0 as usize).map(Vec::as_slice).unwrap_or_default();
        known.len() < PER_PATH && !known.iter().any(|at| self.entries[*at as usize].value == *value)
    }

    /// The values of a path, oldest first.
    pub fn of_path(&self, path: PathKey) -> impl DoubleEndedIterator<Item = &Entry> {
        let numbers = self.by_path.get(path.0 as usize).map(Vec::as_slice).unwrap_or_default();
        numbers.iter().map(|at| &self.entries[*at as usize])
    }

    /// The item of a list that holds the value of a binding: the other items are not what a call about one of them is about. None where
    /// the value does not come from a list.
    pub(super) fn item_of(&self, binding: &Binding) -> Option<u32> {
        let pointer = match &binding.from {
            Source::Result { pointer } | Source::TextJson { pointer, .. } => pointer,
            Source::TextToken { .. } | Source::Argument { .. } => return None,
        };
        let index = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
        let is_it =
            |entry: &&Entry| entry.step == Some(binding.step) && entry.source == binding.from;
        pointer
            .split('/')
            .any(index)
            .then(|| self.entries.iter().rev().find(is_it))??
            .objects
            .first()
            .copied()
    }

    /// How many values a path has.
    pub fn count_of(&self, path: PathKey) -> usize {
        self.by_path.get(path.0 as usize).map_or(0, Vec::len)
    }

    /// Whether a path has a value that is not stale.
    pub fn has_live(&self, path: PathKey) -> bool {
        self.of_path(path).any(|entry| !entry.stale)
    }

    /// Every value.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Whether a step brought something that names what is gone.
    pub fn is_stale(&self, step: usize) -> bool {
        self.entries.iter().any(|entry| entry.stale && entry.step == Some(step))
    }

    /// Whether some value names what is gone.
    pub fn has_stale(&self) -> bool {
        self.entries.iter().any(|entry| entry.stale)
    }

    /// What was taken away and not brought back, oldest first.
    pub(super) fn gone(&self) -> &[Value] {
        &self.gone
    }

    /// Notes that what `value` names was taken away.
    pub(super) fn mark_gone(&mut self, value: &Value) {
        self.mark_stale(value);
        self.gone.retain(|gone| gone != value);
        if !matches!(value, Value::Bool(_) | Value::Null) {
            self.gone.push(value.clone());
        }
    }

    /// Marks every value equal to `value` as naming something that is there again.
    pub fn mark_live(&mut self, value: &Value) {
        self.gone.retain(|gone| gone != value);
        for entry in self.entries.iter_mut().filter(|entry| entry.value == *value) {
            entry.stale = false;
        }
    }

    /// Marks every value equal to `value` as naming something that is gone.
    pub fn mark_stale(&mut self, value: &Value) {
        for entry in self.entries.iter_mut().filter(|entry| entry.value == *value) {
            entry.stale = true;
        }
    }
}
