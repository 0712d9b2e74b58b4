//! `tooltest config`: the lint configuration.

use crate::exit;
use crate::failure::{CommandResult, Failure};
use crate::host::{user_config_dir, with_surroundings};
use crate::output;
use clap::{Args, Subcommand};
use std::path::PathBuf;
use tooltest_core::config::{self, Origin};
use tooltest_core::lints::Level;

/// The arguments of `tooltest config`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  tooltest config default > tooltest.toml
  tooltest config show
  tooltest config check tooltest.toml")]
pub(crate) struct ConfigCommand {
    #[command(subcommand)]
    action: Action,
}

/// What to do.
#[derive(Debug, Subcommand)]
enum Action {
    /// Print the built-in configuration: every lint, with its docs as comments.
    Default,
    /// Print the configuration in force here, and where it came from.
    Show {
        /// This file instead of the one that would be found.
        #[arg(long, value_name = "FILE")]
        config: Option<PathBuf>,
    },
    /// Look for faults in a configuration file.
    Check {
        /// The file; the one in force here when absent.
        file: Option<PathBuf>,
    },
    /// Print the JSON Schema of the file, for editors.
    Schema,
}

impl ConfigCommand {
    pub(crate) fn run(&self) -> CommandResult {
        match &self.action {
            Action::Default => output::print(&config::default_toml())?,
            Action::Show { config } => {
                let (config, origin) = in_force(config.as_ref())?;
                output::print(
                    &config.to_toml(&format!("The lint configuration in force: {origin}.")),
                )?;
            }
            Action::Check { file } => {
                let (config, origin) = in_force(file.as_ref())?;
                let lints =
                    config.lints.iter().filter(|lint| lint.level != Level::Disabled).count();
                output::print(&format!("{origin}: no faults; {lints} lints run\n"))?;
            }
            Action::Schema => {
                let schema =
                    serde_json::to_string_pretty(&config::json_schema()).unwrap_or_default();
                output::print(&format!("{schema}\n"))?;
            }
        }
        Ok(exit::PASSED)
    }
}

fn in_force(named: Option<&PathBuf>) -> Result<(config::Config, Origin), Failure> {
    // The usual hint leads to this very command.
    let fault =
        |error| Failure { hint: None, ..Failure::from(tooltest_core::Error::Config(error)) };
    match named {
        Some(path) => Ok((config::load(path).map_err(fault)?, Origin::Named(path.clone()))),
        None => with_surroundings(|around| {
            config::discover(around.folder, user_config_dir().as_deref()).map_err(fault)
        }),
    }
}
