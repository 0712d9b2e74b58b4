//! The same seed on the same server gives the same result, byte for byte, but for times.

use tooltest_core::input::{StdioTarget, Target};
use tooltest_core::{RunOptions, TooltestInput, run_blocking};
use tooltest_tests::times::{TIMES, strip};

/// The result of a run as JSON text without its times.
fn result(server: &str, args: &[&str]) -> String {
    let args = args.iter().map(|arg| (*arg).to_owned()).collect();
    let stdio = StdioTarget { command: server.to_owned(), args, ..StdioTarget::default() };
    let mut input = TooltestInput::new(Target::Stdio(stdio));
    input.seed = Some(7);
    input.workers = 1;
    input.max_calls = 400;
    input.time_limit = 600.0;
    input.trace_all = true;
    input.failure_dir = String::new();
    let result = run_blocking(input, &RunOptions::default()).expect("the server starts");
    assert!(result.budget.calls > 300, "only {} calls", result.budget.calls);
    let mut value = serde_json::to_value(result).expect("a result is JSON");
    strip(&mut value, &TIMES);
    value.to_string()
}

fn assert_repeats(server: &str, args: &[&str]) {
    let (first, second) = (result(server, args), result(server, args));
    if first != second {
        let same = first.bytes().zip(second.bytes()).take_while(|(a, b)| a == b).count();
        let around = |text: &str| {
            let bytes = &text.as_bytes()[same.saturating_sub(200)..text.len().min(same + 200)];
            String::from_utf8_lossy(bytes).into_owned()
        };
        panic!("they differ from byte {same} on:\n{}\n{}", around(&first), around(&second));
    }
}

#[test]
fn a_seed_repeats_a_run_on_a_server_with_answers_of_many_kinds() {
    assert_repeats(env!("CARGO_BIN_EXE_fast-server"), &["--unique", "--bug=big"]);
}

#[test]
fn a_seed_repeats_a_run_on_a_server_with_state() {
    assert_repeats(env!("CARGO_BIN_EXE_deep-server"), &["4", "--counted"]);
}
