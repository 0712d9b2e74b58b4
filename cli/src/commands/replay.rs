//! `tooltest replay`: runs saved failures again.

use super::run::carry_out;
use crate::Host;
use crate::args::{ReportArgs, ServerArgs, SessionArgs};
use crate::failure::{CommandResult, Failure};
use crate::host::with_surroundings;
use clap::Args;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use tooltest_core::TooltestInput;
use tooltest_core::case::Phase;
use tooltest_core::failure::{self, Failure as FailureFile};

/// The arguments of `tooltest replay`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  tooltest replay .tooltest/failures/no_crash-read_note-9c1f0e5b.json
  tooltest replay .tooltest/failures
  tooltest replay .tooltest/failures -- python server.py     another server than the one that failed")]
pub(crate) struct ReplayCommand {
    /// Failure files, or folders of them.
    #[arg(required = true, value_name = "FILE|FOLDER")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    server: ServerArgs,
    #[command(flatten)]
    session: SessionArgs,
    #[command(flatten)]
    report: ReportArgs,
}

impl ReplayCommand {
    pub(crate) fn run(&self, host: &Host) -> CommandResult {
        let mut files = Vec::new();
        for path in &self.files {
            let found = failure::files(path)?;
            if found.is_empty() {
                return Err(Failure::usage(format!("{} holds no failure files", path.display())));
            }
            files.extend(found);
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
            self.session.input_for(saved_target(files, self.server.environment()?)?)?
        };
        input.phases = vec![Phase::Replay];
        input.keep_going = true;
        Ok(input)
    }
}

/// The target that all the files agree on.
fn saved_target(files: &[PathBuf], env: BTreeMap<String, String>) -> Result<Value, Failure> {
    let mut known: Option<(Value, &Path)> = None;
    for path in files {
        let target = FailureFile::read(path)?.target;
        match &known {
            Some((first, place)) if *first != target => {
                let failure = Failure::usage(format!(
                    "{} and {} are of different servers",
                    place.display(),
                    path.display()
                ));
                return Err(failure.hint("replay them one by one, or name the server after `--`"));
            }
            _ => known = Some((target, path)),
        }
    }
    let (mut target, _) =
        known.ok_or_else(|| Failure::usage("there is no failure file to replay"))?;
    if let Some(stdio) = target.get_mut("stdio").and_then(Value::as_object_mut) {
        let known = stdio.entry("env").or_insert_with(|| Value::Object(serde_json::Map::new()));
        for (name, value) in env {
            known[name] = value.into();
        }
    }
    Ok(target)
}
