//! The `tooltest` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(tooltest::run_with_signals(std::env::args_os()))
}
