//! A run's memory does not grow with its length.

use tooltest_core::input::{StdioTarget, Target};
use tooltest_core::{RunOptions, TooltestInput, run_blocking};

/// Calls a server whose answers are all different, so that whatever is kept of them adds up.
fn run(calls: u64) {
    let command = env!("CARGO_BIN_EXE_fast-server").to_owned();
    let args = vec!["--unique".to_owned()];
    let stdio = StdioTarget { command, args, ..StdioTarget::default() };
    let mut input = TooltestInput::new(Target::Stdio(stdio));
    input.seed = Some(1);
    input.max_calls = calls;
    input.time_limit = 3_600.0;
    input.failure_dir = String::new();
    let result = run_blocking(input, &RunOptions::default()).expect("the server starts");
    // A share is kept for phases that have little to do here.
    assert!(result.budget.calls * 10 >= calls * 7, "only {} calls", result.budget.calls);
}

/// The most memory that this process has had, in KiB.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux tells it");
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).expect("the line is there");
    line.split_whitespace().nth(1).and_then(|kib| kib.parse().ok()).expect("a number")
}

/// Calls of the long run; an unoptimised build takes minutes for the hundred thousand.
const MANY: u64 = if cfg!(debug_assertions) { 20_000 } else { 100_000 };

#[cfg(target_os = "linux")]
#[test]
fn many_calls_take_no_more_memory_than_a_thousand() {
    run(1_000);
    let short = peak();
    run(MANY);
    let long = peak();
    assert!(long * 100 <= short * 120, "{short} KiB after 1,000 calls, {long} KiB after {MANY}");
}
