//! How small the cases are that shrinking leaves, how surely they come again, and what they cost: servers whose one bug takes a known
//! number of calls to show, several seeds each.

use std::path::{Path, PathBuf};
use tooltest_core::input::{StdioTarget, Target};
use tooltest_core::result::ReplayStatus;
use tooltest_core::{RunOptions, TooltestInput, run_blocking};

const SERVER: &str = env!("CARGO_BIN_EXE_deep-server");
const DEPTHS: std::ops::RangeInclusive<usize> = 1..=5;
const SEEDS: std::ops::RangeInclusive<u64> = 1..=8;

/// What came of finding one bug once.
struct Shrunk {
    /// Steps of the case in units of the fewest that show the bug.
    ratio: f64,
    executions: u32,
    /// Attempts on fresh servers: by the run that found it, and by a run that only replays its file.
    attempts: u32,
    reproduced: u32,
}

fn input(depth: usize, crash: bool, seed: u64, folder: &Path) -> TooltestInput {
    let mut args = vec![depth.to_string()];
    args.extend(crash.then(|| "--crash".to_owned()));
    let stdio = StdioTarget { command: SERVER.to_owned(), args, ..StdioTarget::default() };
    let mut input = TooltestInput::new(Target::Stdio(stdio));
    input.seed = Some(seed);
    input.max_calls = 3_000;
    input.time_limit = 600.0;
    input.fail_fast = true;
    input.failure_dir = folder.display().to_string();
    input
}

/// Finds the bug, shrinks it, and replays its file.
fn shrunk(depth: usize, crash: bool, seed: u64) -> Shrunk {
    let folder = tempfile::tempdir().expect("a folder for failure files");
    let lint = if crash { "no_crash" } else { "internal_error" };
    let options = RunOptions::default();
    let input = input(depth, crash, seed, folder.path());
    let result = run_blocking(input.clone(), &options).expect("the server starts");
    let finding = result.findings.iter().find(|finding| finding.lint == lint);
    let finding = finding.unwrap_or_else(|| {
        let others: Vec<_> = result.findings.iter().map(|f| (&f.lint, &f.message)).collect();
        panic!("depth {depth}, seed {seed}: {lint} was not found, but {others:?}")
    });
    assert_eq!(result.findings.len(), 1, "depth {depth}, seed {seed}: {:?}", result.findings);
    let case = finding.case.as_ref().expect("a case");
    let first = finding.reproduction.expect("it was tried again");
    let file = PathBuf::from(finding.failure_file.as_ref().expect("a failure file"));
    let options = RunOptions { replay: vec![file], ..RunOptions::default() };
    let replayed = run_blocking(input, &options).expect("the server starts").replayed;
    assert_eq!(replayed.len(), 1);
    assert_ne!(replayed[0].status, ReplayStatus::Error, "{}", replayed[0].message);
    let again = replayed[0].reproduction;
    #[expect(clippy::cast_precision_loss, reason = "a handful of steps")]
    let ratio = case.steps.len() as f64 / depth as f64;
    Shrunk {
        ratio,
        executions: case.executions,
        attempts: first.attempts + again.attempts,
        reproduced: first.reproduced + again.reproduced,
    }
}

/// The value that a share of a sorted list is not above.
fn quantile<T: Copy>(sorted: &[T], share: f64) -> T {
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the length of a short list"
    )]
    let at = (sorted.len() as f64 * share).ceil() as usize;
    sorted[at.clamp(1, sorted.len()) - 1]
}

#[test]
fn cases_are_as_small_as_they_can_be_come_again_and_cost_little() {
    let all: Vec<Shrunk> = DEPTHS
        .flat_map(|depth| SEEDS.map(move |seed| shrunk(depth, seed.is_multiple_of(2), seed)))
        .collect();
    let mut ratios: Vec<f64> = all.iter().map(|shrunk| shrunk.ratio).collect();
    ratios.sort_by(f64::total_cmp);
    assert!(ratios[0] >= 1.0, "the bug shows earlier than its depth says: {ratios:?}");
    assert!(quantile(&ratios, 0.5) <= 1.0, "{ratios:?}");
    assert!(quantile(&ratios, 0.9) <= 1.5, "{ratios:?}");
    let mut executions: Vec<u32> = all.iter().map(|shrunk| shrunk.executions).collect();
    executions.sort_unstable();
    assert!(quantile(&executions, 0.9) <= 40, "{executions:?}");
    let attempts: u32 = all.iter().map(|shrunk| shrunk.attempts).sum();
    let reproduced: u32 = all.iter().map(|shrunk| shrunk.reproduced).sum();
    assert!(reproduced * 100 >= attempts * 95, "{reproduced} of {attempts} attempts");
}
