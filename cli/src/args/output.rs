//! Where results go and how they look.

use crate::exit::FailOn;
use crate::failure::Failure;
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use tooltest_core::report::Format;

/// When colours are used.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Colour {
    /// On a terminal, unless `NO_COLOR` is set; `CLICOLOR_FORCE` forces them.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// How much is shown, on every command.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct LookArgs {
    /// When to use colours.
    #[arg(long, value_name = "WHEN", value_enum, default_value = "auto", global = true)]
    pub(crate) color: Colour,
    /// No progress; the terminal report is one line a finding.
    #[arg(long, short, global = true)]
    pub(crate) quiet: bool,
    /// The terminal report leaves nothing out.
    #[arg(long, short, global = true, conflicts_with = "quiet")]
    pub(crate) verbose: bool,
}

/// A report that was asked for: its format, and a file unless it goes to standard output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Wanted {
    pub(crate) format: Format,
    pub(crate) path: Option<PathBuf>,
}

impl std::str::FromStr for Wanted {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, path) = match text.split_once('=') {
            Some((_, "")) => return Err("expected a file after `=`".to_owned()),
            Some((name, path)) => (name, Some(path)),
            None => (text, None),
        };
        let format = name.parse::<Format>().map_err(|error| error.to_string())?;
        Ok(Self { format, path: path.filter(|path| *path != "-").map(PathBuf::from) })
    }
}

/// The reports of a run.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Reports")]
pub(crate) struct ReportArgs {
    /// A report: human, json, junit, sarif, html, markdown, github or ndjson; to a file with =PATH, else to standard output. May be given several times.
    #[arg(long = "report", value_name = "FORMAT[=PATH]")]
    reports: Vec<Wanted>,
    /// Short for --report json.
    #[arg(long)]
    json: bool,
    /// Which findings make the exit code 1.
    #[arg(long, value_name = "LEVEL", value_enum, default_value = "error")]
    pub(crate) fail_on: FailOn,
    /// Known findings, by fingerprint: they are not reported as new, and those that are gone are named.
    #[arg(long, value_name = "FILE")]
    pub(crate) baseline: Option<PathBuf>,
    /// Write the findings of this run into the baseline.
    #[arg(long, requires = "baseline")]
    pub(crate) update_baseline: bool,
}

impl ReportArgs {
    /// The reports to write; the terminal report on standard output where nothing else goes there.
    pub(crate) fn wanted(&self) -> Result<Vec<Wanted>, Failure> {
        let mut wanted = self.reports.clone();
        if self.json {
            wanted.push(Wanted { format: Format::Json, path: None });
        }
        let to_stdout: Vec<&str> = wanted
            .iter()
            .filter(|wanted| wanted.path.is_none())
            .map(|wanted| wanted.format.name())
            .collect();
        match to_stdout.as_slice() {
            [] => wanted.insert(0, Wanted { format: Format::Human, path: None }),
            [_] => {}
            [first, second, ..] => {
                let failure = Failure::usage(format!(
                    "two reports ({first} and {second}) cannot both go to standard output"
                ));
                return Err(
                    failure.hint(format!("give one of them a file: --report {second}=FILE"))
                );
            }
        }
        Ok(wanted)
    }
}
