//! The command line.

mod fields;
mod input;
mod kind;
mod output;
mod target;

pub(crate) use input::{DocumentArgs, InputArgs, SessionArgs, read};
pub(crate) use output::{Colour, LookArgs, ReportArgs, Wanted};
pub(crate) use target::{ServerArgs, Surroundings, TargetArgs};

use crate::commands;
use crate::exit;
use clap::{Parser, Subcommand};

const EXAMPLES: &str = "\
Examples:
  tooltest demo                                   see a report of a server with seeded bugs
  tooltest run -- python server.py                test a server that is started by a command
  tooltest run http://127.0.0.1:8000/mcp          test a server at a URL
  tooltest run --server notes                     test a server of .mcp.json
  tooltest list -- npx -y my-server               see what a server offers
  tooltest call add a=1 b=2 -- python server.py   call one tool
  tooltest replay .tooltest/failures              run saved failures again";

/// Finds real bugs in MCP servers: generates calls from their schemas, follows their answers, shrinks what fails, and reports it.
#[derive(Debug, Parser)]
#[command(name = "tooltest", version, after_help = format!("{EXAMPLES}\n\n{}", exit::HELP), max_term_width = 100)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) look: LookArgs,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Test a server: call its tools in every way its schemas allow, and report what is wrong.
    Run(Box<commands::run::RunCommand>),
    /// Judge a server without calling a tool; safe against production.
    Lint(Box<commands::lint::LintCommand>),
    /// Show what a server offers.
    List(Box<commands::list::ListCommand>),
    /// Call one tool by hand.
    Call(Box<commands::call::CallCommand>),
    /// Run saved failures again.
    Replay(Box<commands::replay::ReplayCommand>),
    /// See a report at once: test a small server with seeded bugs.
    Demo(Box<commands::demo::DemoCommand>),
    /// List the lints, or explain one.
    Lints(commands::lints::LintsCommand),
    /// Print or check the lint configuration.
    Config(commands::config::ConfigCommand),
    /// Render a saved result in any format, or merge several results into one.
    Report(commands::report::ReportCommand),
    /// Tell compatible from breaking changes between two snapshots of a server.
    Diff(commands::diff::DiffCommand),
    /// Be an MCP server, so that an agent tests the server that it is writing.
    Mcp(commands::mcp::McpCommand),
    /// Write a completion script for a shell.
    Completions(commands::completions::CompletionsCommand),
}
