//! wsh: terminal sessions for agents, over MCP and HTTP.

mod app;
mod args;
mod bugs;
mod echo_shell;
mod failure;
mod http;
mod mcp;
mod serve;
mod session;
mod terminal;
mod tools;
mod value;

use std::io::Write;
use std::process::ExitCode;

use clap::Parser;

use args::{Cli, Command};

fn main() -> ExitCode {
    let cli = Cli::parse();
    let outcome = bugs::check().and_then(|()| start(cli.command));
    let Err(message) = outcome else { return ExitCode::SUCCESS };
    // Where standard error is gone there is nobody to tell.
    let _ = writeln!(std::io::stderr(), "wsh: {message}");
    ExitCode::FAILURE
}

fn start(command: Command) -> Result<(), String> {
    match command {
        Command::EchoShell => echo_shell::run().map_err(|error| error.to_string()),
        Command::Mcp { bind, options } => {
            options.config(bind, variable).and_then(|config| block_on(serve::mcp(bind, config)))
        }
        Command::Serve { bind, options } => {
            options.config(bind, variable).and_then(|config| block_on(serve::serve(bind, config)))
        }
    }
}

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

fn block_on(
    server: impl Future<Output = Result<(), Box<dyn std::error::Error + Send + Sync>>>,
) -> Result<(), String> {
    log_to_stderr();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|error| format!("the runtime does not start: {error}"))?;
    let outcome = runtime.block_on(server).map_err(|error| error.to_string());
    // A read of standard input that is still waiting must not hold the process.
    runtime.shutdown_background();
    outcome
}

/// Standard output belongs to the protocol.
fn log_to_stderr() {
    let filter = tracing_subscriber::EnvFilter::try_from_env("WSH_LOG")
        .unwrap_or_else(|_| tracing_subscriber::EnvFilter::new("warn,rmcp=error,wsh=info"));
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(false)
        .init();
}
