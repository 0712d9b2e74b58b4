//! `tooltest demo`: a run against a server with seeded bugs.

use super::run::carry_out;
use crate::Host;
use crate::args::{InputArgs, ReportArgs};
use crate::demo::{self, Ending};
use crate::exit;
use crate::failure::{CommandResult, Failure};
use crate::host::variable;
use crate::output;
use clap::Args;
use serde_json::json;
use std::path::PathBuf;
use tooltest_core::case::Phase;

/// The arguments of `tooltest demo`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  tooltest demo
  tooltest demo --report html=report.html
  tooltest list -- tooltest demo --serve      the demo server is a server like any other

The exit code is 0 although bugs are found: that is what the demo is for.")]
pub(crate) struct DemoCommand {
    /// Be the server, on standard input and output.
    #[arg(long)]
    serve: bool,
    /// Without the bugs.
    #[arg(long)]
    fixed: bool,
    #[command(flatten)]
    input: InputArgs,
    #[command(flatten)]
    report: ReportArgs,
}

impl DemoCommand {
    pub(crate) fn run(&self, host: &Host) -> CommandResult {
        if self.serve {
            return serve(!self.fixed);
        }
        let command = program()?;
        let failures = std::env::temp_dir().join(format!("tooltest-demo-{}", user()));
        let mut args = vec!["demo", "--serve"];
        args.extend(self.fixed.then_some("--fixed"));
        let base = json!({
            "target": {"stdio": {"command": command, "args": args}},
            "seed": 1, "max_calls": 600, "time_limit": 30, "failure_dir": failures, "phases": fresh_phases(),
        });
        let input = self.input.input_over(base)?;
        let code =
            carry_out(host, &self.report, |options| tooltest_core::run_blocking(input, &options))?;
        Ok(if code == exit::FINDINGS { exit::PASSED } else { code })
    }
}

/// All phases but that of saved failures: every demo is a first one.
fn fresh_phases() -> Vec<Phase> {
    use Phase::{Boundary, Examples, Lists, Negative, Parallel, Protocol, Stateful};
    vec![Lists, Examples, Boundary, Stateful, Negative, Protocol, Parallel]
}

/// Whose demo it is; two users of a machine must not share a folder.
fn user() -> String {
    let name = ["USER", "LOGNAME", "USERNAME"].into_iter().find_map(variable).unwrap_or_default();
    let plain: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
    if plain.is_empty() { "user".to_owned() } else { plain }
}

fn serve(buggy: bool) -> CommandResult {
    let ending = demo::serve(std::io::stdin().lock(), std::io::stdout().lock(), buggy);
    match ending {
        Ok(Ending::InputEnded) => Ok(exit::PASSED),
        Ok(Ending::Crashed(words)) => {
            output::note(&words);
            Ok(101)
        }
        Err(error) => Err(Failure::file("standard output", &error)),
    }
}

/// This program, to be started again as the server. In a Python or Node process that is the command of the same name.
fn program() -> Result<PathBuf, Failure> {
    let own = std::env::current_exe().map_err(|error| Failure::file("this program", &error))?;
    let is_ours =
        own.file_stem().is_some_and(|stem| stem.to_string_lossy().starts_with("tooltest"));
    Ok(if is_ours { own } else { PathBuf::from("tooltest") })
}
