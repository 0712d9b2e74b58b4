//! `tooltest completions`: scripts that complete commands and flags in a shell.

use crate::args::Cli;
use crate::exit;
use crate::failure::CommandResult;
use crate::output;
use clap::{Args, CommandFactory as _};
use clap_complete::Shell;

/// The arguments of `tooltest completions`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  tooltest completions bash > ~/.local/share/bash-completion/completions/tooltest
  tooltest completions zsh > ~/.zfunc/_tooltest
  tooltest completions fish > ~/.config/fish/completions/tooltest.fish")]
pub(crate) struct CompletionsCommand {
    /// The shell.
    shell: Shell,
}

impl CompletionsCommand {
    pub(crate) fn run(&self) -> CommandResult {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Cli::command(), "tooltest", &mut script);
        output::print(&String::from_utf8_lossy(&script))?;
        Ok(exit::PASSED)
    }
}
