//! Pairs: which successful calls are sent together in the parallel phase.

use super::edits::{Edits, edits};
use crate::case::Step;
use crate::catalog::{Catalog, Tool};
use crate::pointer::{join, scalars};
use crate::schema::{JsonTypes, Parameter};
use crate::sequence::exemplar::Exemplar;
use crate::sequence::intent::Verb;
use crate::sequence::words::is_reference;
use crate::worker::Worker;
use serde_json::Value;

/// Pairs tried at most.
const MOST_PAIRS: usize = 32;
/// Pairs of two tools that read.
const MOST_READS: usize = 6;

/// What two calls sent together have to do with each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Each changes something in its own words, of the same things.
    Changes,
    /// They are the same to the last word: where one must be refused, both must not be accepted.
    Equal,
    /// Each changes a thing of its own in the same way.
    Apart,
    /// They read different things.
    Reads,
    /// They change two parts of one text.
    Edits,
}

/// Two calls to be sent together.
pub(super) struct Pair {
    pub(super) a: Exemplar,
    pub(super) b: Exemplar,
    pub(super) kind: Kind,
    /// Looks of its own at what the calls change, where it has them.
    pub(super) views: Vec<Exemplar>,
}

impl Pair {
    /// Whether the calls are about two things rather than one.
    pub(super) fn is_apart(&self) -> bool {
        matches!(self.kind, Kind::Reads | Kind::Apart)
    }

    fn new(a: &Exemplar, b: &Exemplar, kind: Kind) -> Self {
        Self { a: a.clone(), b: b.clone(), kind, views: Vec::new() }
    }
}

/// Pairs of calls: those that change parts of one text; equal ones that make something, and reads of two things, which cost least;
/// those that change something, twice with words of their own or in different members; then calls of different tools about the same
/// things.
pub(super) fn pairs(worker: &Worker<'_>) -> Vec<Pair> {
    let (mind, catalog) = (&worker.mind, worker.judge.catalog);
    let reads = |tool: &usize| {
        mind.intents[*tool].looks_read_only() || catalog.tools[*tool].hints.read_only
    };
    let (readers, writers): (Vec<usize>, Vec<usize>) =
        mind.callable.iter().copied().partition(reads);
    let wordiest = |tool: &usize| {
        let words =
            |e: &&Exemplar| e.case.steps.last().map_or(0, |s| free_text(s, catalog).count());
        mind.exemplars.of(*tool).iter().rev().max_by_key(words)
    };
    let (mut changes, mut equal, mut looks, mut mixed) = (vec![], vec![], vec![], vec![]);
    let mut apart = vec![];
    for tool in &writers {
        let Some(first) = wordiest(tool) else {
            continue;
        };
        let other = mind.exemplars.of(*tool).iter().find(|e| e.case != first.case);
        let updates = mind.intents[*tool].verb == Verb::Update;
        if let Some((a, b)) = split(first, catalog).filter(|_| updates) {
            changes.push(Pair::new(&a, &b, Kind::Changes));
        } else if has_free_text(first, catalog) {
            changes.push(Pair::new(first, first, Kind::Changes));
        } else if let Some(changing) = choosing(first, catalog).filter(|_| updates) {
            apart.push(Pair::new(&changing, &changing, Kind::Apart));
        } else if let Some(other) = other {
            mixed.push(Pair::new(first, other, Kind::Changes));
        }
        if mind.intents[*tool].verb == Verb::Create {
            equal.extend(equal_pairs(first, mind.exemplars.of(*tool), catalog));
        }
    }
    for tool in &readers {
        let bound = |e: &&Exemplar| e.case.steps.last().is_some_and(|s| !s.bindings.is_empty());
        if let Some(first) = mind.exemplars.of(*tool).iter().find(bound) {
            looks.push(Pair::new(first, first, Kind::Reads));
        }
    }
    // An answer that goes to the wrong call is of the wrong form, where the calls are of two tools.
    let answered: Vec<&Exemplar> =
        readers.iter().filter_map(|tool| mind.exemplars.of(*tool).first()).collect();
    let neighbours = answered.windows(2).take(MOST_READS);
    looks.extend(neighbours.map(|two| Pair::new(two[0], two[1], Kind::Reads)));
    for (number, tool) in writers.iter().enumerate() {
        for other in &writers[number + 1..] {
            let related = mind.intents[*tool].shares_noun(&mind.intents[*other]);
            if let (true, Some(a), Some(b)) = (related, wordiest(tool), wordiest(other)) {
                mixed.push(Pair::new(a, b, Kind::Changes));
            }
        }
    }
    let edits = edits(mind, catalog, &writers, &readers).into_iter().map(|edits| {
        let Edits { a, b, views } = edits;
        Pair { a, b, kind: Kind::Edits, views }
    });
    let mut pairs: Vec<Pair> =
        edits.chain(equal).chain(looks).chain(changes).chain(apart).chain(mixed).collect();
    pairs.truncate(MOST_PAIRS);
    pairs
}

/// Equal calls that make something: with text of the caller's own, and without any. What has no name from the caller gets one from the
/// server.
fn equal_pairs(wordiest: &Exemplar, all: &[Exemplar], catalog: &Catalog) -> Vec<Pair> {
    let worded = has_free_text(wordiest, catalog).then_some(wordiest);
    let bare = all.iter().find(|exemplar| !has_free_text(exemplar, catalog));
    worded.into_iter().chain(bare).map(|e| Pair::new(e, e, Kind::Equal)).collect()
}

/// The call of an exemplar as two that set different members, each to a text of its own.
fn split(exemplar: &Exemplar, catalog: &Catalog) -> Option<(Exemplar, Exemplar)> {
    let last = exemplar.case.steps.last()?;
    let schema = catalog.tool(last.action.tool()?)?.input_schema()?;
    let text = |p: &&Parameter| {
        !p.required
            && p.pointer.matches('/').count() == 1
            && p.types.contains(JsonTypes::STRING)
            && p.choices.is_empty()
            && p.format.is_none()
            && !is_reference(&p.name)
    };
    let mut texts = schema.parameters().iter().filter(text);
    let with = |parameter: &Parameter| {
        let mut exemplar = exemplar.clone();
        let step = exemplar.case.steps.last_mut()?;
        let required = |name: &String| {
            schema.parameters().iter().any(|p| p.required && p.pointer == join("", name))
        };
        let members = step.action.arguments_mut()?.as_object_mut()?;
        members.retain(|name, _| required(name));
        members.insert(parameter.name.clone(), Value::from("word"));
        let arguments = step.action.arguments()?.clone();
        step.bindings.retain(|binding| {
            arguments.pointer(&binding.at).is_some() && binding.at != parameter.pointer
        });
        schema.is_valid(&arguments).then_some(exemplar)
    };
    let (first, second) = (texts.next()?, texts.next()?);
    Some((with(first)?, with(second)?))
}

/// The call of an exemplar that names a thing and takes one of a few words, with a word that is nowhere the default: so that the
/// change shows.
fn choosing(exemplar: &Exemplar, catalog: &Catalog) -> Option<Exemplar> {
    let last = exemplar.case.steps.last().filter(|step| !step.bindings.is_empty())?;
    let schema = catalog.tool(last.action.tool()?)?.input_schema()?;
    let chosen = schema.parameters().iter().find(|p| p.required && p.choices.len() > 1)?;
    let documented = |choice: &&Value| {
        let tools = catalog.tools.iter().filter_map(Tool::input_schema);
        let mut alike = tools.flat_map(|s| s.parameters().iter()).filter(|p| p.name == chosen.name);
        !alike.any(|p| p.default.as_ref() == Some(*choice))
    };
    let choice = chosen.choices.iter().find(documented)?;
    let mut changing = exemplar.clone();
    let arguments = changing.case.steps.last_mut()?.action.arguments_mut()?;
    *arguments.pointer_mut(&chosen.pointer)? = choice.clone();
    schema.is_valid(arguments).then_some(changing)
}

fn has_free_text(exemplar: &Exemplar, catalog: &Catalog) -> bool {
    exemplar.case.steps.last().is_some_and(|step| free_text(step, catalog).next().is_some())
}

/// Places in a call's arguments that hold text of the caller's own: no choice, no format, no reference to something that exists.
pub(super) fn free_text<'s>(
    step: &'s Step,
    catalog: &'s Catalog,
) -> impl Iterator<Item = String> + 's {
    let schema = step.action.tool().and_then(|name| catalog.tool(name)?.input_schema());
    let arguments = step.action.arguments().cloned().unwrap_or_default();
    let pointers = if schema.is_some() { scalars(&arguments) } else { Vec::new() };
    pointers.into_iter().filter(move |pointer| {
        let parameter = schema.and_then(|schema| schema.all_parameters().at(pointer));
        let text = arguments.pointer(pointer).is_some_and(Value::is_string);
        let bound = step.bindings.iter().any(|binding| binding.at == *pointer);
        text && !bound
            && parameter.is_some_and(|p| {
                p.choices.is_empty() && p.format.is_none() && !is_reference(&p.name)
            })
    })
}
