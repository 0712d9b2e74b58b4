//! The engine on a real process: what it finds on the demo server, how small the cases are, and that a seed repeats a run.

use serde_json::Value;
use tooltest_core::input::{StdioTarget, Target};
use tooltest_core::{RunOptions, RunResult, TooltestInput, run_blocking};
use tooltest_tests::times::{TIMES_AND_STDERR, strip};

/// The demo server, started by the `tooltest` command beside this test.
fn demo() -> TooltestInput {
    let mut command = std::env::current_exe().expect("a running test has a path");
    command.pop();
    command.pop();
    let command = command.join("tooltest").display().to_string();
    let args = vec!["demo".to_owned(), "--serve".to_owned()];
    let mut input =
        TooltestInput::new(Target::Stdio(StdioTarget { command, args, ..StdioTarget::default() }));
    input.seed = Some(1);
    input.max_calls = 600;
    input.time_limit = 600.0;
    input.failure_dir = String::new();
    input
}

fn run(input: TooltestInput) -> RunResult {
    run_blocking(input, &RunOptions::default()).expect("the demo server starts")
}

fn built() -> bool {
    let Target::Stdio(stdio) = demo().target else {
        return false;
    };
    std::path::Path::new(&stdio.command).exists()
}

#[test]
fn the_demo_servers_bugs_are_found_and_shrunk_to_their_known_length() {
    assert!(built(), "build the command first: cargo build -p tooltest");
    let result = run(demo());
    let length = |lint: &str, tool: &str| {
        let finding =
            result.findings.iter().find(|f| f.lint == lint && f.tool.as_deref() == Some(tool));
        let finding = finding.unwrap_or_else(|| panic!("{lint} at {tool} was not found"));
        finding.case.as_ref().expect("a case").steps.len()
    };
    assert_eq!(length("no_crash", "get_task"), 3);
    assert_eq!(length("internal_error", "search_tasks"), 1);
    assert_eq!(length("call_structured_matches_schema", "list_tasks"), 3);
}

#[test]
fn the_same_seed_gives_the_same_result_but_for_times() {
    assert!(built(), "build the command first: cargo build -p tooltest");
    let mut input = demo();
    input.max_calls = 150;
    let (first, second) = (without_times(&run(input.clone())), without_times(&run(input)));
    assert_eq!(first, second);
}

/// A result with every time taken out.
fn without_times(result: &RunResult) -> Value {
    let mut value = serde_json::to_value(result).expect("a result is JSON");
    strip(&mut value, &TIMES_AND_STDERR);
    value
}
