//! `tooltest report`: a saved result in any format, and several results as one.

use crate::Host;
use crate::args::{ReportArgs, read};
use crate::exit;
use crate::failure::{CommandResult, Failure};
use crate::output;
use clap::Args;
use serde_json::Value;
use tooltest_core::result::{RESULT_SCHEMA_VERSION, RunResult};

/// The arguments of `tooltest report`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  tooltest run --report json=result.json -- python server.py
  tooltest report result.json --report html=report.html --report junit=junit.xml
  tooltest report --merge shard-1.json shard-2.json --report json=whole.json")]
pub(crate) struct ReportCommand {
    /// A result as `--report json` writes it (`-`: standard input); several with --merge.
    #[arg(required = true, value_name = "RESULT")]
    results: Vec<String>,
    /// Join the results of the shards of a run.
    #[arg(long)]
    merge: bool,
    #[command(flatten)]
    report: ReportArgs,
}

impl ReportCommand {
    pub(crate) fn run(&self, host: &Host) -> CommandResult {
        let wanted = self.report.wanted()?;
        if self.results.len() > 1 && !self.merge {
            return Err(
                Failure::usage("several results can only be reported as one").hint("add --merge")
            );
        }
        let results =
            self.results.iter().map(|path| read_result(path)).collect::<Result<Vec<_>, _>>()?;
        let result = tooltest_core::report::merge(results).map_err(Failure::usage)?;
        output::write_reports(&result, &wanted, &host.look, false)?;
        output::write_for_github(&result, &wanted);
        Ok(exit::of_result(&result, self.report.fail_on))
    }
}

/// Reads a saved result.
pub(crate) fn read_result(path: &str) -> Result<RunResult, Failure> {
    let text = read(path)?;
    let document: Value = serde_json::from_str(&text)
        .map_err(|error| Failure::usage(format!("{path} is not JSON: {error}")))?;
    let version = document.get("schema_version").and_then(Value::as_u64);
    match version {
        Some(version) if version == u64::from(RESULT_SCHEMA_VERSION) => {}
        Some(version) => {
            return Err(Failure::usage(format!(
                "{path} is a result of version {version}; this tooltest reads version {RESULT_SCHEMA_VERSION}"
            )));
        }
        None => {
            return Err(Failure::usage(format!("{path} is not a result of tooltest"))
                .hint("a result is what `tooltest run --report json=FILE` writes"));
        }
    }
    serde_json::from_value(document)
        .map_err(|error| Failure::usage(format!("{path} is not a whole result: {error}")))
}
