//! `tooltest lint`: judges what needs no tool call. Safe against production.

use super::run::carry_out;
use crate::Host;
use crate::args::{DocumentArgs, InputArgs, ReportArgs, TargetArgs};
use crate::failure::CommandResult;
use crate::host::with_surroundings;
use clap::Args;

/// The arguments of `tooltest lint`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  tooltest lint -- python server.py
  tooltest lint https://example.com/mcp --report sarif=lint.sarif")]
pub(crate) struct LintCommand {
    #[command(flatten)]
    target: TargetArgs,
    #[command(flatten)]
    document: DocumentArgs,
    #[command(flatten)]
    input: InputArgs,
    #[command(flatten)]
    report: ReportArgs,
}

impl LintCommand {
    pub(crate) fn run(&self, host: &Host) -> CommandResult {
        let input =
            with_surroundings(|around| self.input.input(&self.target, &self.document, around))?;
        carry_out(host, &self.report, |options| tooltest_core::lint_blocking(input, &options))
    }
}
