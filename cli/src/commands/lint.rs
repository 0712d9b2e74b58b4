//! `tooltest lint`: judges what needs no tool call. Safe against production.

use super::run::OnServer;
use crate::Host;
use crate::failure::CommandResult;
use clap::Args;

/// The arguments of `tooltest lint`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  tooltest lint -- python server.py
  tooltest lint https://example.com/mcp --report sarif=lint.sarif")]
pub(crate) struct LintCommand {
    #[command(flatten)]
    on: OnServer,
}

impl LintCommand {
    pub(crate) fn run(&self, host: &Host) -> CommandResult {
        self.on.carry_out(host, |input, options| tooltest_core::lint_blocking(input, &options))
    }
}
