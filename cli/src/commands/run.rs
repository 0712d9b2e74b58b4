//! `tooltest run`: tests a server.

use crate::Host;
use crate::args::{DocumentArgs, InputArgs, ReportArgs, TargetArgs, Wanted};
use crate::exit;
use crate::failure::{CommandResult, Failure};
use crate::host::{options, with_surroundings};
use crate::output;
use crate::progress::Progress;
use clap::Args;
use std::io::Write as _;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use tooltest_core::event::{Event, Observer};
use tooltest_core::report::{self, Baseline, Format};
use tooltest_core::{RunOptions, RunResult, TooltestInput};

/// The arguments of `tooltest run`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  tooltest run -- npx -y my-server
  tooltest run --env API_KEY=$KEY --cwd server -- python server.py
  tooltest run https://example.com/mcp --auth-token \"$TOKEN\" --read-only=false
  tooltest run --server notes --mcp-config .vscode/mcp.json
  tooltest run --deep --workers 2 --report html=report.html --report junit=junit.xml -- ./server
  tooltest run --seed-values get_forecast.city=Paris --tool-allowlist 'get_*' -- ./server
  tooltest run --input input.json --json")]
pub(crate) struct RunCommand {
    #[command(flatten)]
    on: OnServer,
}

impl RunCommand {
    pub(crate) fn run(&self, host: &Host) -> CommandResult {
        self.on.carry_out(host, |input, options| tooltest_core::run_blocking(input, &options))
    }
}

/// A server, what is done with it, and where the result goes.
#[derive(Debug, Args)]
pub(super) struct OnServer {
    #[command(flatten)]
    target: TargetArgs,
    #[command(flatten)]
    document: DocumentArgs,
    #[command(flatten)]
    input: InputArgs,
    #[command(flatten)]
    report: ReportArgs,
}

impl OnServer {
    /// As [`carry_out`], on the input that the arguments name.
    pub(super) fn carry_out(
        &self,
        host: &Host,
        work: impl FnOnce(TooltestInput, RunOptions) -> Result<RunResult, tooltest_core::Error>,
    ) -> CommandResult {
        let input =
            with_surroundings(|around| self.input.input(&self.target, &self.document, around))?;
        carry_out(host, &self.report, |options| work(input, options))
    }
}

/// Runs something that gives a result, shows its progress, and writes its reports; returns the exit code.
pub(crate) fn carry_out(
    host: &Host,
    report: &ReportArgs,
    work: impl FnOnce(RunOptions) -> Result<RunResult, tooltest_core::Error>,
) -> CommandResult {
    let wanted = report.wanted()?;
    let baseline = read_baseline(report)?;
    let mut result = {
        let progress = Progress::start(&host.look, host.cancel.clone());
        let mut options = options(host)?;
        options.observer = Some(observer(&progress, &wanted)?);
        let done = work(options);
        progress.finish();
        done?
    };
    if let (Some(path), Some(baseline)) = (&report.baseline, baseline) {
        baseline.apply(&mut result);
        if report.update_baseline {
            output::write_file(path, &Baseline::of(&result, &baseline).to_json())?;
        }
    }
    output::write_reports(&result, &wanted, &host.look, true)?;
    output::write_for_github(&result, &wanted);
    let code = exit::of_result(&result, report.fail_on);
    let only_accepted = report.update_baseline && code == exit::FINDINGS;
    Ok(if only_accepted { exit::PASSED } else { code })
}

/// The baseline, if one is used. One that is to be written need not be there yet.
fn read_baseline(report: &ReportArgs) -> Result<Option<Baseline>, Failure> {
    let Some(path) = &report.baseline else { return Ok(None) };
    if report.update_baseline && !path.exists() {
        return Ok(Some(Baseline::default()));
    }
    let text = std::fs::read_to_string(path).map_err(|error| {
        let failure = Failure::file(path.display(), &error);
        if path.exists() { failure } else { failure.hint("--update-baseline writes it") }
    })?;
    Baseline::parse(&text)
        .map(Some)
        .map_err(|error| Failure::usage(format!("{} {error}", path.display())))
}

/// What takes events in: the progress display, and a stream of events where one was asked for.
fn observer(progress: &Progress, wanted: &[Wanted]) -> Result<Observer, Failure> {
    let show = progress.observer();
    let Some(stream) = wanted.iter().find(|report| report.format == Format::Ndjson) else {
        return Ok(Arc::new(show));
    };
    let sink = open_stream(stream.path.as_deref())?;
    let sink = Mutex::new(Some(sink));
    Ok(Arc::new(move |event: &Event| {
        show(event);
        let mut open = sink.lock().unwrap_or_else(PoisonError::into_inner);
        let written = open.as_mut().map(|sink| {
            sink.write_all(report::ndjson(event).as_bytes()).and_then(|()| sink.flush())
        });
        // A reader that went away ends the stream, not the run.
        if let Some(Err(_)) = written {
            *open = None;
        }
    }))
}

fn open_stream(path: Option<&Path>) -> Result<Box<dyn std::io::Write + Send>, Failure> {
    match path {
        None => Ok(Box::new(std::io::stdout())),
        Some(path) => {
            let file = output::create(path)?;
            Ok(Box::new(file))
        }
    }
}
