//! Long runs on servers that show no state: most calls are screened, and what is wrong all the same is found, told right and shrunk.

use serde_json::Value;
use std::process::Command;
use tooltest_core::case::Phase;
use tooltest_core::finding::Finding;
use tooltest_core::input::Target;
use tooltest_core::{RunOptions, RunResult, TooltestInput, run_blocking};
use tooltest_tests::served::{Served, http, stdio};
use tooltest_tests::times::{TIMES, strip};

const FAST: &str = env!("CARGO_BIN_EXE_fast-server");
const STATEFUL: &str = env!("CARGO_BIN_EXE_deep-server");
/// Sequences have 80 calls at most; where sessions have more on the average, most calls were screened.
const A_SEQUENCE: u64 = 150;

fn input(target: Target, calls: u64) -> TooltestInput {
    let mut input = TooltestInput::new(target);
    input.seed = Some(7);
    input.max_calls = calls;
    input.time_limit = 600.0;
    input.failure_dir = String::new();
    input.phases = vec![Phase::Stateful, Phase::Boundary, Phase::Negative];
    input
}

fn run(input: TooltestInput) -> RunResult {
    run_blocking(input, &RunOptions::default()).expect("the server starts")
}

fn calls_a_session(result: &RunResult) -> u64 {
    let stateful = result.phases.iter().find(|phase| phase.phase == Phase::Stateful);
    stateful.map_or(0, |phase| phase.calls / phase.cases.max(1))
}

fn steps(found: &Finding) -> usize {
    found.case.as_ref().map_or(0, |case| case.steps.len())
}

/// The arguments of the only call.
fn arguments(found: &Finding) -> &Value {
    &found.case.as_ref().expect("it has a case").steps[0].arguments
}

/// A run on the fast server's rare bug; the finding of that lint, which must be confirmed and of one step.
fn finds(bug: &str, lint: &str, in_flight: usize) -> Finding {
    let mut input = input(stdio(FAST, &["--tools=1", &format!("--bug={bug}")]), 8_000);
    input.request_timeout = 0.5;
    input.in_flight = in_flight;
    let result = run(input);
    let all = result.findings.iter().chain(&result.warnings);
    let told: Vec<&str> = all.clone().map(|finding| finding.lint.as_str()).collect();
    let found = all.clone().find(|finding| finding.lint == lint);
    let found = found.unwrap_or_else(|| panic!("no {lint} among {told:?}")).clone();
    assert_eq!(steps(&found), 1, "{bug}");
    let rate = found.reproduction.unwrap_or_else(|| panic!("{bug} was not confirmed"));
    assert!(rate.reproduced > 0, "{bug}: {rate:?}");
    let count = arguments(&found).get("count").and_then(Value::as_f64);
    assert_eq!(count, Some(777.0), "{bug}: {}", arguments(&found));
    found
}

#[test]
fn a_fault_of_one_value_in_a_thousand_is_found_confirmed_and_shrunk() {
    let found = finds("rare", "internal_error", 1);
    let members = arguments(&found).as_object().map(serde_json::Map::len);
    assert_eq!(members, Some(2), "only what is required is left");
}

#[test]
fn what_breaks_in_the_midst_of_screening_is_told_by_the_right_lint() {
    finds("shape", "call_structured_matches_schema", 1);
    finds("crash", "no_crash", 1);
    finds("id", "response_id_unknown", 1);
    finds("garbage", "stdio_stdout_clean", 1);
}

#[test]
fn a_call_without_an_answer_is_told() {
    finds("silence", "call_timely", 1);
}

#[test]
fn with_calls_sent_at_once_the_right_one_is_blamed() {
    finds("rare", "internal_error", 8);
    finds("crash", "no_crash", 8);
}

#[test]
fn a_fault_that_takes_hundreds_of_calls_is_told_with_them() {
    let result = run(input(stdio(FAST, &["--tools=2", "--bug=late"]), 4_000));
    let found = result.findings.iter().find(|finding| finding.lint == "internal_error");
    let found = found.expect("the fault is found");
    assert!(steps(found) >= 700, "it does not come with {} calls", steps(found));
    assert!(found.reproduction.is_some_and(|rate| rate.reproduced == rate.attempts));
}

#[test]
fn a_clean_server_stays_clean() {
    for (args, calls) in [(&["--tools=10"][..], 20_000), (&["--tools=3", "--unique"], 4_000)] {
        let mut input = input(stdio(FAST, args), calls);
        input.in_flight = 4;
        let result = run(input);
        // It checks no arguments.
        let told = result.findings.iter().chain(&result.warnings);
        let told: Vec<&str> = told.map(|finding| finding.lint.as_str()).collect();
        let told: Vec<&&str> =
            told.iter().filter(|lint| **lint != "invalid_input_accepted").collect();
        assert!(told.is_empty(), "{told:?}");
        assert_eq!(result.budget.calls, calls);
        let counted: u64 = result.coverage.iter().map(|tool| tool.calls).sum();
        assert!(counted > calls - calls / 20, "{counted} calls of tools");
        assert!(calls_a_session(&result) > A_SEQUENCE, "nothing was screened");
    }
}

#[test]
fn a_server_that_shows_state_is_not_screened() {
    for target in [stdio(STATEFUL, &["4", "--counted"]), stdio(FAST, &["--tools=3", "--counted"])] {
        let result = run(input(target, 3_000));
        assert!(
            calls_a_session(&result) < A_SEQUENCE,
            "{} calls a session",
            calls_a_session(&result)
        );
    }
}

#[test]
fn those_who_want_to_see_every_call_see_every_call() {
    let mut input = input(stdio(FAST, &["--tools=1"]), 2_000);
    input.trace_all = true;
    let result = run(input);
    assert!(result.trace.is_some_and(|trace| trace.len() >= 2_000));
    let stateful = result.phases.iter().find(|phase| phase.phase == Phase::Stateful);
    assert!(stateful.is_some_and(|phase| phase.calls / phase.cases < A_SEQUENCE));
}

#[test]
fn a_seed_repeats_a_long_run() {
    let told = || {
        let result = run(input(stdio(FAST, &["--unique", "--bug=rare"]), 8_000));
        let mut value = serde_json::to_value(result).expect("a result is JSON");
        strip(&mut value, &TIMES);
        value.to_string()
    };
    assert!(told() == told(), "two runs with the same seed differ");
}

#[test]
fn over_http_the_same_is_found() {
    let arguments = ["--http", "--tools=1", "--bug=rare"];
    let server = Served::start(Command::new(FAST).args(arguments), false);
    let result = run(input(http(&server), 8_000));
    assert!(calls_a_session(&result) > A_SEQUENCE, "nothing was screened");
    let found = result.findings.iter().find(|finding| finding.lint == "internal_error");
    assert_eq!(steps(found.expect("the fault is found")), 1);
}
