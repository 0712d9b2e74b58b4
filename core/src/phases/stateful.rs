//! The stateful phase: sequences in which later calls use earlier results, edges and invalid inputs mixed in, on every worker.

use crate::case::Phase;
use crate::error::Error;
use crate::record::Record;
use crate::sequence::live::Live;
use crate::sequence::mind::Mind;
use crate::session::Closing;
use crate::sessions::Sessions;
use crate::worker::Worker;

/// Sequences that are there for first successes.
const FIRST: u32 = 4;
/// They may take one out of so many of the run's calls.
const FIRST_SHARE: u64 = 3;
/// Calls of one of them.
const LONGEST: usize = 250;

/// Runs the phase; returns what the workers besides the first kept.
///
/// # Errors
/// Where the first worker cannot open a session.
pub(crate) fn run(worker: &mut Worker<'_>) -> Result<Vec<(Record, Mind, Vec<Closing>)>, Error> {
    if worker.mind.callable.is_empty() {
        worker.record.phases.entry(Phase::Stateful).or_default().skipped =
            Some("no tool may be called".to_owned());
        return Ok(Vec::new());
    }
    let others = worker.share.1.saturating_sub(1);
    let (judge, shared, revision) = (worker.judge, worker.shared, worker.judge.revision);
    let plan = judge.plan;
    std::thread::scope(|scope| {
        let mut handles = Vec::new();
        for number in 1..=others {
            handles.push(scope.spawn(move || {
                let mut sessions = Sessions::new(plan);
                sessions.fix_revision(revision);
                sessions.mark(judge.catalog);
                let mut other = Worker::new(judge, shared, sessions, None, (number, others + 1));
                let _ = sequences(&mut other);
                other.finish()
            }));
        }
        let ended = sequences(worker);
        let kept = handles.into_iter().filter_map(|handle| handle.join().ok()).collect();
        ended.map(|()| kept)
    })
}

/// Sequence after sequence until the budget is spent.
fn sequences(worker: &mut Worker<'_>) -> Result<(), Error> {
    let input = &worker.judge.plan.input;
    let (shortest, longest) = (input.min_sequence_len, input.max_sequence_len);
    let most = input.cases.unwrap_or(u64::MAX);
    first_successes(worker)?;
    let mut done = 0;
    while worker.may_go_on() && done < most {
        let length = shortest + worker.mind.draw.index(longest - shortest + 1);
        let before = worker.record.calls;
        worker.sequence(Live::new(Phase::Stateful, length))?;
        if worker.record.calls == before {
            break;
        }
        done += 1;
        crate::screen::screen(worker)?;
    }
    Ok(())
}

/// Sequences in which tools that have not worked are to, as long as they do.
fn first_successes(worker: &mut Worker<'_>) -> Result<(), Error> {
    let calls = worker.judge.plan.max_calls() / FIRST_SHARE;
    let begun = worker.record.calls;
    for _ in 0..FIRST {
        let left = calls.saturating_sub(worker.record.calls - begun);
        let before = worker.mind.worked();
        if worker.share.0 > 0 || left == 0 || !worker.may_go_on() || !worker.mind.wants_first() {
            break;
        }
        worker.sequence(Live::for_first(usize::try_from(left).unwrap_or(LONGEST).min(LONGEST)))?;
        if worker.mind.worked() == before {
            break;
        }
    }
    Ok(())
}
