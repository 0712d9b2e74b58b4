//! The `tooltest` command as a library, so that the Python and Node packages run the very same code.
//!
//! [`run`] never ends the process and touches no signal: the host cancels through the token. The binary uses
//! [`run_with_signals`], where Ctrl-C ends a run with its result so far and a second one ends the process.

mod args;
mod commands;
mod demo;
pub mod exit;
mod failure;
mod host;
mod mcp;
mod output;
mod progress;
mod runner;
mod signals;
mod terminal;

use args::{Cli, Command};
use clap::Parser;
pub(crate) use host::Host;
use std::ffi::OsString;
use tooltest_core::session::CancelToken;

/// Runs a command line (the program's name first) for a host that owns the signals; returns the exit code.
pub fn run<I, T>(args: I, cancel: CancelToken) -> u8
where
    I: IntoIterator<Item = T>,
    T: Into<OsString> + Clone,
{
    match Cli::try_parse_from(args) {
        Ok(cli) => dispatch(cli, cancel),
        Err(error) => {
            let _ = error.print();
            u8::try_from(error.exit_code()).unwrap_or(exit::USAGE)
        }
    }
}

/// As [`run`], for a process that is ours: Ctrl-C and termination end a run with its result so far, a second one ends the process.
pub fn run_with_signals<I, T>(args: I) -> u8
where
    I: IntoIterator<Item = T>,
    T: Into<OsString> + Clone,
{
    let cancel = CancelToken::new();
    signals::install(cancel.clone());
    run(args, cancel)
}

fn dispatch(cli: Cli, cancel: CancelToken) -> u8 {
    let host = Host { cancel, look: cli.look };
    let done = match cli.command {
        Command::Run(command) => command.run(&host),
        Command::Lint(command) => command.run(&host),
        Command::List(command) => command.run(&host),
        Command::Call(command) => command.run(&host),
        Command::Replay(command) => command.run(&host),
        Command::Demo(command) => command.run(&host),
        Command::Lints(command) => command.run(),
        Command::Config(command) => command.run(),
        Command::Report(command) => command.run(&host),
        Command::Diff(command) => command.run(&host),
        Command::Mcp(command) => command.run(&host),
        Command::Completions(command) => command.run(),
    };
    done.unwrap_or_else(|failure| {
        output::complain(&failure.to_string(), &host.look);
        failure.code
    })
}
