//! Lists at the end of a sequence: asked for once as a whole and once in pages, while what the sequence made is there.

use crate::case::{Binding, Label, Role, Source, Step};
use crate::catalog::Tool;
use crate::outcome::OutcomeKind;
use crate::sequence::feedback::tells_missing;
use crate::sequence::intent::{Intent, Verb};
use crate::sequence::live::Live;
use crate::sequence::paging::{Items, Paging};
use crate::session::Session;
use crate::worker::Worker;

/// How often a tool's list is walked in a run.
const MOST_WALKS: u32 = 1;
/// How often the call that makes an item is repeated, so that there is something to walk.
const MORE: usize = 3;

/// Walks the lists that were seen in the sequence.
pub(crate) fn walk(worker: &mut Worker<'_>, live: &mut Live) {
    for tool in &worker.judge.catalog.tools {
        let walks = worker.walks.get(&tool.index).copied().unwrap_or_default();
        let paging = Paging::of(tool).filter(|_| walks < MOST_WALKS);
        let own = |step: &Step| step.action.tool() == Some(&tool.name);
        if let (Some(paging), Some(seen)) = (paging, last(live, own)) {
            let Some(lister) = fill(worker, live, tool, seen) else { continue };
            if walk_one(worker, live, paging, (&lister, seen)) {
                worker.walks.insert(tool.index, walks + 1);
            }
        }
    }
}

/// The last call of that kind that was a success.
fn last(live: &Live, fits: impl Fn(&Step) -> bool) -> Option<usize> {
    live.history.iter().zip(&live.outcomes).rposition(|((step, _), outcome)| {
        fits(step) && step.label == Label::Valid && outcome.kind == OutcomeKind::Ok
    })
}

fn may_go_on(worker: &Worker<'_>) -> bool {
    worker.may_go_on() && worker.session.as_ref().is_some_and(Session::is_open)
}

/// Makes a few more items by a call that made one before; the listing call, about what they belong to. None where that is gone.
fn fill(worker: &mut Worker<'_>, live: &mut Live, lister: &Tool, seen: usize) -> Option<Step> {
    let mut step = live.history[seen].0.clone();
    let intent = Intent::of(lister);
    let makes = |step: &Step| {
        step.action.tool().is_some_and(|name| {
            let other = Intent::of_name(name);
            other.verb == Verb::Create
                && other.nouns.last().is_some()
                && other.nouns.last() == intent.nouns.last()
        })
    };
    let Some(maker) = last(live, |step| makes(step) && !worker.mind.names_gone(step)) else {
        return Some(step).filter(|step| !worker.mind.names_gone(step));
    };
    let made = live.history[maker].0.clone();
    for _ in 0..MORE {
        if may_go_on(worker) {
            // Only what the item belongs to stays the same: names may have to be unique.
            let mut step = made.clone();
            step.role = Role::Call;
            super::parallel::freshen(worker, &mut step);
            worker.perform(live, step, &[]);
            let refused = live.outcomes.last().is_some_and(|outcome| outcome.kind.is_refusal());
            let latest = live.history.last().map(|(_, exchange)| exchange);
            if refused && latest.is_some_and(|exchange| tells_missing(exchange)) {
                return None;
            }
        }
    }
    let given = made.action.arguments().cloned().unwrap_or_default();
    let Some(arguments) = step.action.arguments_mut().and_then(|a| a.as_object_mut()) else {
        return Some(step);
    };
    let mut bound = Vec::new();
    for (name, value) in arguments.iter_mut() {
        let shared = given.get(name).filter(|given| given.is_string() && value.is_string());
        if let Some(given) = shared {
            *value = given.clone();
            let at = crate::pointer::join("", name);
            bound.push(Binding {
                at: at.clone(),
                step: maker,
                from: Source::Argument { pointer: at },
            });
        }
    }
    step.bindings.retain(|binding| bound.iter().all(|other| other.at != binding.at));
    step.bindings.extend(bound);
    Some(step)
}

/// Walks one list; tells whether it was long enough to tell anything.
fn walk_one(
    worker: &mut Worker<'_>,
    live: &mut Live,
    paging: &Paging,
    (lister, seen): (&Step, usize),
) -> bool {
    if !may_go_on(worker) {
        return false;
    }
    // The call itself first, so that the walk refers to arguments as they were sent.
    let index = live.history.len();
    worker.perform(live, Step { role: Role::Call, ..lister.clone() }, &[]);
    let (step, index) = match live.history.get(index) {
        Some((step, _)) => (step.clone(), index),
        None => (lister.clone(), seen),
    };
    worker.perform(live, paging.whole(&step, index), &[]);
    let count = live.history.last().and_then(|(_, exchange)| Items::of(exchange));
    let count = count.map_or(0, |items| items.len());
    if !Paging::is_worthwhile(count) {
        return false;
    }
    for size in [1, 2] {
        for at in 0.. {
            let before =
                live.history.last().map(|(_, exchange)| (&**exchange, live.history.len() - 1));
            let next = paging.next((&step, index), (at, size, count), before);
            let Some(next) = next.filter(|_| may_go_on(worker)) else { break };
            worker.perform(live, next, &[]);
        }
    }
    worker.perform(live, paging.whole(&step, index), &[]);
    true
}
