//! The `tooltest` command.

use std::process::ExitCode;

/// A call is a tree of small allocations, which this allocator hands out and takes back with far fewer instructions than the system's.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    ExitCode::from(tooltest::run_with_signals(std::env::args_os()))
}
