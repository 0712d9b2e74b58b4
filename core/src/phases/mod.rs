//! The phases of a run, in order.

mod cancel;
mod edits;
mod examples;
mod growth;
pub(crate) mod pages;
mod pairs;
mod parallel;
mod protocol;
pub(crate) mod replay;
mod signs;
mod stateful;

use crate::case::Phase;
use crate::error::Error;
use crate::event::Event;
use crate::record::Record;
use crate::result::ReplayReport;
use crate::run::RunOptions;
use crate::sequence::mind::Mind;
use crate::session::Closing;
use crate::worker::Worker;

/// What the phases bring besides findings.
#[derive(Default)]
pub(crate) struct Extra {
    /// The records of the workers besides the first.
    pub(crate) workers: Vec<(Record, Mind, Vec<Closing>)>,
    /// Saved failures that were run again.
    pub(crate) replayed: Vec<ReplayReport>,
}

/// Runs every phase that the plan allows. A server that cannot be started again ends them.
///
/// # Errors
/// Where the command that resets outside state fails.
pub(crate) fn run_all(worker: &mut Worker<'_>, options: &RunOptions) -> Result<Extra, Error> {
    let mut extra = Extra::default();
    let plan = worker.judge.plan;
    // Share of the time after which a phase ends, so that every phase gets its turn.
    let order = [
        (Phase::Replay, 0.3),
        (Phase::Examples, 0.4),
        (Phase::Stateful, 0.78),
        (Phase::Protocol, 0.9),
        (Phase::Parallel, 1.0),
    ];
    for (phase, share) in order {
        let wanted = plan.has(phase)
            || (phase == Phase::Stateful
                && (plan.has(Phase::Boundary) || plan.has(Phase::Negative)));
        if !wanted || worker.shared.has_ended() {
            continue;
        }
        worker.shared.limit(plan, phase, share);
        worker.shared.emit(&Event::PhaseStarted { phase });
        let ended = run_one(phase, worker, options, &mut extra);
        let record = worker.record.phases.entry(phase).or_default();
        if let Err(error) = &ended {
            record.skipped = Some(error.to_string());
        }
        worker.shared.emit(&Event::PhaseFinished {
            phase,
            calls: record.calls,
            skipped: record.skipped.clone(),
        });
        match ended {
            Err(error @ Error::Hook(_)) => return Err(error),
            Err(_) => worker.shared.end("server"),
            Ok(()) => {}
        }
    }
    worker.settle_deferred();
    Ok(extra)
}

fn run_one(
    phase: Phase,
    worker: &mut Worker<'_>,
    options: &RunOptions,
    extra: &mut Extra,
) -> Result<(), Error> {
    match phase {
        Phase::Replay => {
            extra.replayed = replay::run(worker, options);
            Ok(())
        }
        Phase::Examples => examples::run(worker),
        Phase::Protocol => {
            protocol::run(worker);
            cancel::run(worker);
            growth::run(worker);
            Ok(())
        }
        Phase::Parallel => {
            parallel::run(worker);
            Ok(())
        }
        _ => {
            extra.workers = stateful::run(worker)?;
            Ok(())
        }
    }
}
