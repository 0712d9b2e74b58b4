//! The parallel phase: calls sent together, judged against the same calls in sequence on fresh sessions.

use super::edits::{Edits, edits, fill_in};
use super::signs::{is_answered, is_suspicious, is_swapped};
use crate::case::{Case, Phase, Step};
use crate::catalog::Catalog;
use crate::event::Event;
use crate::execute::Verdict;
use crate::finding::Reproduction;
use crate::lints::Execution;
use crate::pointer::{join, scalars};
use crate::schema::{JsonTypes, Parameter};
use crate::sequence::exemplar::{Exemplar, joined};
use crate::sequence::intent::Verb;
use crate::sequence::words::is_reference;
use crate::worker::Worker;
use serde_json::Value;
use std::sync::Arc;

/// Pairs of calls tried at most.
const MOST_PAIRS: usize = 32;
/// Looks at the state after the calls.
const MOST_VIEWS: usize = 2;

/// What two calls sent together have to do with each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Each changes something in its own words, of the same things.
    Changes,
    /// They are the same to the last word: where one must be refused, both must not be accepted.
    Equal,
    /// They read different things.
    Reads,
    /// They change two parts of one text.
    Edits,
}

/// Two calls to be sent together.
struct Pair {
    a: Exemplar,
    b: Exemplar,
    kind: Kind,
    /// Looks of its own at what the calls change, where it has them.
    views: Vec<Exemplar>,
}

impl Pair {
    fn new(a: &Exemplar, b: &Exemplar, kind: Kind) -> Self {
        Self { a: a.clone(), b: b.clone(), kind, views: Vec::new() }
    }
}

/// Runs the phase.
pub(crate) fn run(worker: &mut Worker<'_>) {
    let pairs = pairs(worker);
    if pairs.is_empty() {
        let reason =
            "no tool that changes something had a successful call to send together with another";
        worker.record.phases.entry(Phase::Parallel).or_default().skipped = Some(reason.to_owned());
        return;
    }
    for (number, pair) in pairs.into_iter().enumerate() {
        if !worker.may_go_on() {
            return;
        }
        try_pair(worker, &pair, number % 4 == 0);
    }
}

/// Pairs of calls: those that change parts of one text; those that change something, twice with words of their own or in different members; equal ones that make
/// something; reads of two things; then calls of different tools about the same things.
fn pairs(worker: &Worker<'_>) -> Vec<Pair> {
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
        } else if let Some(other) = other {
            mixed.push(Pair::new(first, other, Kind::Changes));
        }
        if mind.intents[*tool].verb == Verb::Create && has_free_text(first, catalog) {
            equal.push(Pair::new(first, first, Kind::Equal));
        }
    }
    for tool in &readers {
        let bound = |e: &&Exemplar| e.case.steps.last().is_some_and(|s| !s.bindings.is_empty());
        if let Some(first) = mind.exemplars.of(*tool).iter().find(bound) {
            looks.push(Pair::new(first, first, Kind::Reads));
        }
    }
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
        edits.chain(changes).chain(equal).chain(looks).chain(mixed).collect();
    pairs.truncate(MOST_PAIRS);
    pairs
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

/// A case whose calls carry words that no session has seen before: those sent together, and those before them that make things.
fn with_fresh_words(worker: &mut Worker<'_>, case: &Case, calls: [usize; 2], kind: Kind) -> Case {
    let mut case = case.clone();
    if kind == Kind::Edits {
        let words = std::array::from_fn(|_| fresh_word(worker));
        fill_in(&mut case, &words);
        return case;
    }
    for at in 0..=calls[1] {
        let makes = |step: &Step| {
            let tool = step.action.tool().and_then(|name| worker.judge.catalog.tool(name));
            tool.is_some_and(|tool| worker.mind.intents[tool.index].verb == Verb::Create)
        };
        if calls.contains(&at) || makes(&case.steps[at]) {
            freshen(worker, &mut case.steps[at]);
        }
    }
    if kind == Kind::Equal {
        case.steps[calls[1]].action = case.steps[calls[0]].action.clone();
    }
    case
}

fn fresh_word(worker: &mut Worker<'_>) -> String {
    format!("word{:06x}", worker.mind.draw.bits() & 0x00ff_ffff)
}

/// Puts words that no session has seen before into a call's free text.
pub(super) fn freshen(worker: &mut Worker<'_>, step: &mut Step) {
    let catalog = worker.judge.catalog;
    let pointers: Vec<String> = free_text(step, catalog).collect();
    let schema = step.action.tool().and_then(|name| catalog.tool(name)?.input_schema());
    for pointer in pointers {
        let word = fresh_word(worker);
        let Some(arguments) = step.action.arguments_mut() else {
            continue;
        };
        let mut changed = arguments.clone();
        if let Some(slot) = changed.pointer_mut(&pointer) {
            *slot = Value::from(word);
        }
        if schema.is_some_and(|schema| schema.is_valid(&changed)) {
            *arguments = changed;
        }
    }
}

fn try_pair(worker: &mut Worker<'_>, pair: &Pair, thorough: bool) {
    let views = match pair.kind {
        Kind::Changes => views(worker, pair.a.tool),
        Kind::Equal | Kind::Reads | Kind::Edits => pair.views.clone(),
    };
    let Some(cases) = joined(&pair.a, &pair.b, &views, pair.kind == Kind::Reads) else {
        return;
    };
    if pair.kind == Kind::Changes && views.is_empty() {
        return;
    }
    let Some((verdict, mut execution)) = judged(worker, &cases, (pair.kind, views.len()), thorough)
    else {
        return;
    };
    let fingerprint = verdict.fingerprint();
    let mut shown = 1;
    // A race need not come every time: two more tries, and it is reported with its rate if one of them shows it.
    for _ in 0..2 {
        if let Some((again, latest)) = judged(worker, &cases, (pair.kind, views.len()), true)
            && again.fingerprint() == fingerprint
        {
            shown += 1;
            execution = latest;
        }
    }
    if shown < 2 {
        return;
    }
    let execution = smaller(worker, pair, &views, &fingerprint).unwrap_or(execution);
    let failing = execution.case.steps.len() - 1;
    if worker.shared.findings.note(verdict, Phase::Parallel, || Some(Arc::new(execution))).is_some()
        && let Some(mut found) = worker.shared.findings.get(&fingerprint)
    {
        found.reproduction = Some(Reproduction { attempts: 3, reproduced: shown });
        found.minimal = true;
        found.failing_step = failing;
        worker.shared.findings.update(&fingerprint, found);
        worker
            .shared
            .announce(worker.judge, &fingerprint, |finding| Event::FindingShrunk { finding });
    }
}

/// The same with a single look, where that still shows it.
fn smaller(
    worker: &mut Worker<'_>,
    pair: &Pair,
    views: &[Exemplar],
    fingerprint: &str,
) -> Option<Execution> {
    views.iter().find_map(|view| {
        let cases = joined(&pair.a, &pair.b, std::slice::from_ref(view), false)?;
        let (verdict, execution) = judged(worker, &cases, (pair.kind, 1), true)?;
        (verdict.fingerprint() == fingerprint).then_some(execution)
    })
}

/// Runs the calls together and in both orders, each on a fresh session; the verdict of a parallel lint, if there is one.
fn judged(
    worker: &mut Worker<'_>,
    (together, first, second): &(Case, Case, Case),
    (kind, looks): (Kind, usize),
    thorough: bool,
) -> Option<(Verdict, Execution)> {
    if worker.shared.is_cancelled()
        || worker.judge.plan.elapsed() > worker.judge.plan.time_limit.mul_f64(1.1)
    {
        return None;
    }
    let calls = [together.steps.len() - looks - 2, together.steps.len() - looks - 1];
    let (execution, verdicts) = fresh(worker, together, calls, kind)?;
    for verdict in verdicts {
        worker.note(verdict, Phase::Parallel, || execution.clone());
    }
    let lost = match kind {
        Kind::Changes | Kind::Edits => is_suspicious(&execution),
        Kind::Equal => calls.iter().all(|at| is_answered(&execution, *at)),
        Kind::Reads => is_swapped(&execution, calls),
    };
    if !lost && (!thorough || kind != Kind::Changes) {
        return None;
    }
    let mut references =
        vec![fresh(worker, first, calls, kind)?.0, fresh(worker, second, calls, kind)?.0];
    if !lost {
        references.push(fresh(worker, first, calls, kind)?.0);
    }
    let verdict = worker
        .judge
        .case(&execution, &references)
        .into_iter()
        .find(|verdict| verdict.lint == "parallel_calls_differ")?;
    Some((verdict, execution))
}

/// Runs a case on a fresh session with words that no session has seen before.
fn fresh(
    worker: &mut Worker<'_>,
    case: &Case,
    together: [usize; 2],
    kind: Kind,
) -> Option<(Execution, Vec<Verdict>)> {
    let case = with_fresh_words(worker, case, together, kind);
    let (execution, verdicts) = worker.attempt(&case)?;
    let calls = execution.exchanges.len() as u64;
    // These calls are the phase's own work, not a confirmation's.
    worker.record.shrink_calls -= calls;
    worker.record.calls += calls;
    worker.record.phases.entry(Phase::Parallel).or_default().calls += calls;
    (0..calls).for_each(|_| worker.shared.count_call());
    Some((execution, verdicts))
}

/// Looks at what the calls change: successful reads, those about the same thing and those that ask for nothing first.
fn views(worker: &Worker<'_>, tool: usize) -> Vec<Exemplar> {
    let mind = &worker.mind;
    let mut views: Vec<&Exemplar> = mind
        .callable
        .iter()
        .filter(|reader| mind.intents[**reader].looks_read_only())
        .filter_map(|reader| mind.exemplars.of(*reader).first())
        .collect();
    views.sort_by_key(|view| {
        (!mind.intents[view.tool].shares_noun(&mind.intents[tool]), view.case.steps.len())
    });
    views.into_iter().take(MOST_VIEWS).map(|view| bare(view, worker.judge.catalog)).collect()
}

/// The exemplar with only what its last call needs: a look that filters, or shows one page, sees less.
fn bare(exemplar: &Exemplar, catalog: &Catalog) -> Exemplar {
    let mut bare = exemplar.clone();
    let schema = |step: &Step| catalog.tool(step.action.tool()?)?.input_schema();
    let Some(step) = bare.case.steps.last_mut() else {
        return bare;
    };
    let Some(schema) = schema(step) else {
        return bare;
    };
    let Some(arguments) = step.action.arguments_mut() else {
        return bare;
    };
    let mut needed = arguments.clone();
    if let Some(members) = needed.as_object_mut() {
        let required = |name: &str| {
            let at = join("", name);
            let inside = format!("{at}/");
            let mut parameters = schema.parameters().iter().filter(|p| p.required);
            parameters.any(|p| p.pointer == at || p.pointer.starts_with(&inside))
        };
        members.retain(|name, _| required(name));
    }
    if schema.is_valid(&needed) {
        arguments.clone_from(&needed);
        step.bindings.retain(|binding| needed.pointer(&binding.at).is_some());
    }
    bare
}
