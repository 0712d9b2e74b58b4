//! `tooltest replay`: runs saved failures again.

use super::run::carry_out;
use crate::Host;
use crate::args::{ReportArgs, ServerArgs, SessionArgs};
use crate::exit;
use crate::failure::{CommandResult, Failure};
use crate::host::with_surroundings;
use crate::output;
use clap::Args;
use serde_json::Value;
use std::path::{Path, PathBuf};
use tooltest_core::TooltestInput;
use tooltest_core::case::Phase;
use tooltest_core::export::Export;
use tooltest_core::failure::{self, Failure as FailureFile};

/// The arguments of `tooltest replay`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  tooltest replay .tooltest/failures/no_crash-read_note-9c1f0e5b.json
  tooltest replay .tooltest/failures
  tooltest replay FILE --export pytest > test_regression.py
  tooltest replay .tooltest/failures -- python server.py     another server than the one that failed")]
pub(crate) struct ReplayCommand {
    /// Failure files, or folders of them.
    #[arg(required = true, value_name = "FILE|FOLDER")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    server: ServerArgs,
    #[command(flatten)]
    session: SessionArgs,
    /// Do not run them; write them as something else that shows the fault: jsonl, curl, pytest, vitest or rust.
    #[arg(long, value_name = "FORMAT")]
    export: Option<Export>,
    /// Where failures that are found meanwhile are saved; empty: nowhere.
    #[arg(long, value_name = "FOLDER", default_value = "")]
    failure_dir: String,
    #[command(flatten)]
    report: ReportArgs,
}

impl ReplayCommand {
    fn saved_target(&self, files: &[PathBuf]) -> Result<Value, Failure> {
        let mut target = common_target(files)?;
        with_surroundings(|around| self.server.restore_secrets(&mut target, around))?;
        Ok(target)
    }

    /// Writes the exports of the files to standard output.
    fn export(export: Export, files: &[PathBuf]) -> CommandResult {
        let mut text = String::new();
        for path in files {
            let failure = FailureFile::read(path)?;
            text.push_str(&export.render(&failure).map_err(Failure::usage)?);
        }
        output::print(&text)?;
        Ok(exit::PASSED)
    }

    pub(crate) fn run(&self, host: &Host) -> CommandResult {
        let mut files = Vec::new();
        for path in &self.files {
            let found = failure::files(path)?;
            if found.is_empty() {
                return Err(Failure::usage(format!("{} holds no failure files", path.display())));
            }
            files.extend(found);
        }
        if let Some(export) = self.export {
            return Self::export(export, &files);
        }
        let input = self.input(&files)?;
        carry_out(host, &self.report, |mut options| {
            options.replay = files;
            tooltest_core::run_blocking(input, &options)
        })
    }

    fn input(&self, files: &[PathBuf]) -> Result<TooltestInput, Failure> {
        let mut input = if self.server.names_a_server() {
            with_surroundings(|around| self.session.input_on(&self.server, around))?
        } else {
            self.session.input_for(self.saved_target(files)?)?
        };
        input.phases = vec![Phase::Replay];
        input.keep_going = true;
        input.failure_dir.clone_from(&self.failure_dir);
        Ok(input)
    }
}

/// The target that all the files agree on.
fn common_target(files: &[PathBuf]) -> Result<Value, Failure> {
    let mut known: Option<(Value, &Path)> = None;
    for path in files {
        let target = FailureFile::read(path)?.target;
        match &known {
            Some((first, place)) if *first != target => {
                let (place, path) = (place.display(), path.display());
                let failure =
                    Failure::usage(format!("{place} and {path} are of different servers"));
                return Err(failure.hint("replay them one by one, or name the server after `--`"));
            }
            _ => known = Some((target, path)),
        }
    }
    known
        .map(|(target, _)| target)
        .ok_or_else(|| Failure::usage("there is no failure file to replay"))
}
