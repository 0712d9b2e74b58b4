//! Running testers over subjects.

use super::endpoint::Endpoint;
use super::options::Options;
use super::prepare::Programs;
use super::row::Row;
use super::subject::Subject;
use super::tester::{Budget, Tester};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// Runs the tester over every subject with every seed, and hands each row to `done` as it comes. Rows come back in the
/// order of the subjects.
pub fn run(
    tester: &dyn Tester,
    subjects: &[Subject],
    programs: &Programs,
    options: &Options,
    done: &(dyn Fn(&Row) + Sync),
) -> Vec<Row> {
    let seeds = 1..=options.seeds.max(1);
    let tasks: Vec<(&Subject, u64)> = subjects
        .iter()
        .flat_map(|subject| seeds.clone().map(move |seed| (subject, seed)))
        .collect();
    let next = AtomicUsize::new(0);
    let rows: Mutex<Vec<(usize, Row)>> = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..options.jobs.clamp(1, tasks.len().max(1)) {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some((subject, seed)) = tasks.get(index) else { break };
                    let budget =
                        Budget { calls: options.calls, seconds: options.time, seed: *seed };
                    let row = one(tester, subject, programs, budget, options.results.as_deref());
                    done(&row);
                    rows.lock().unwrap_or_else(PoisonError::into_inner).push((index, row));
                }
            });
        }
    });
    let mut rows = rows.into_inner().unwrap_or_else(PoisonError::into_inner);
    rows.sort_by_key(|(index, _)| *index);
    rows.into_iter().map(|(_, row)| row).collect()
}

/// Runs the tester over one subject; whatever goes wrong is in the row.
fn one(
    tester: &dyn Tester,
    subject: &Subject,
    programs: &Programs,
    budget: Budget,
    results: Option<&Path>,
) -> Row {
    let mut row = Row::of(subject, budget.seed);
    let started = Instant::now();
    if let Err(failure) = test(tester, subject, programs, budget, results, &mut row) {
        row.failure = Some(failure);
    }
    row.seconds = started.elapsed().as_secs_f64();
    row
}

fn test(
    tester: &dyn Tester,
    subject: &Subject,
    programs: &Programs,
    budget: Budget,
    results: Option<&Path>,
    row: &mut Row,
) -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let marks = folder.path().join("triggered");
    let endpoint = Endpoint::open(programs, subject, &marks)?;
    let tested = tester.test(subject, &endpoint, budget);
    // The mark stands even where the tester gave up.
    row.triggered = std::fs::metadata(&marks).is_ok_and(|marks| marks.len() > 0);
    let tested = tested?;
    row.judge(subject, &tested);
    if let Some(results) = results {
        let name = format!("{} {} {}.json", row.server, row.id, row.seed).replace([' ', '/'], "_");
        std::fs::create_dir_all(results)
            .and_then(|()| std::fs::write(results.join(name), format!("{:#}\n", tested.document)))
            .map_err(|error| format!("{}: {error}", results.display()))?;
    }
    Ok(())
}
