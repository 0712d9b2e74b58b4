//! Running: the entry points, and the flow of a run from its input to its result.

use crate::assemble;
use crate::case::Phase;
use crate::catalog::Catalog;
use crate::conclude;
use crate::config;
use crate::error::Error;
use crate::event::{Event, Observer};
use crate::exchange::Exchange;
use crate::execute::{Judge, Verdict};
use crate::input::TooltestInput;
use crate::lints::{Hook, Level, ListContext, RunContext, Seen, Suite};
use crate::outcome::Outcome;
use crate::phases;
use crate::plan::Plan;
use crate::record::Record;
use crate::result::{NotMeasured, RunResult};
use crate::session::{CancelToken, Connector, ServerIdentity, Session};
use crate::sessions::Sessions;
use crate::shared::Shared;
use crate::worker::Worker;
use std::future::Future;
use std::path::PathBuf;
use std::sync::Arc;

/// What a run needs besides its input: everything that the core may not fetch by itself.
#[derive(Clone, Default)]
pub struct RunOptions {
    /// Receives events.
    pub observer: Option<Observer>,
    /// Ends the run when set; the result holds what was found until then.
    pub cancel: CancelToken,
    /// Starts in-process servers.
    pub connector: Option<Arc<dyn Connector>>,
    /// Relative paths of the input are relative to this folder; empty: the process's own.
    pub working_dir: PathBuf,
    /// The user's configuration folder (the one that holds `tooltest.toml`), if there is one.
    pub user_config_dir: Option<PathBuf>,
    /// Whether to look for a `tooltest.toml` from the working folder upward; otherwise the built-in one holds.
    pub find_config: bool,
    /// The seed where the input has none.
    pub random_seed: u64,
    /// Failure files to replay instead of those in the input's folder.
    pub replay: Vec<PathBuf>,
}

/// Bytes of stack for a run: schemas of servers nest as deep as they like.
const STACK: usize = 64 << 20;

/// Tests a server; does its work on threads of its own, so that any executor can wait for it.
pub fn run(
    input: TooltestInput,
    options: RunOptions,
) -> impl Future<Output = Result<RunResult, Error>> + Send {
    let (sender, receiver) = futures_channel::oneshot::channel();
    let cancel = CancelOnDrop(options.cancel.clone());
    let thread = std::thread::Builder::new().name("tooltest-run".to_owned()).stack_size(STACK);
    let spawned = thread.spawn(move || {
        let _ = sender.send(run_blocking(input, &options));
    });
    async move {
        spawned.map_err(|error| Error::Bug(format!("no thread could be started: {error}")))?;
        let result = receiver.await.unwrap_or_else(|_| {
            Err(Error::Bug("the run's thread ended without a result".to_owned()))
        });
        std::mem::forget(cancel);
        result
    }
}

/// Cancels a run whose future is dropped before it is done.
struct CancelOnDrop(CancelToken);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

/// Tests a server on the calling thread.
///
/// # Errors
/// Only where tooltest itself could not do its work: bad input, bad configuration, a server that does not start.
pub fn run_blocking(input: TooltestInput, options: &RunOptions) -> Result<RunResult, Error> {
    let plan = Plan::new(input, options)?;
    let outcome =
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| run_plan(&plan, options)));
    outcome
        .unwrap_or_else(|panic| Err(Error::Bug(panic_text(&panic))))
        .map_err(|error| crate::redact::Redactor::new(&plan.input).error(error))
}

fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied());
    text.unwrap_or("a panic without a message").to_owned()
}

/// Runs only what needs no tool call: the handshake, the lists and the probes.
///
/// # Errors
/// As [`run_blocking`].
pub fn lint_blocking(mut input: TooltestInput, options: &RunOptions) -> Result<RunResult, Error> {
    input.phases = vec![Phase::Lists, Phase::Protocol];
    input.keep_going = true;
    run_blocking(input, options)
}

impl RunOptions {
    /// The lints that the configuration in force turns on, and where it came from.
    ///
    /// # Errors
    /// [`Error::Config`] where a configuration file has a fault.
    pub(crate) fn suite(&self, input: &TooltestInput) -> Result<(Suite, String), Error> {
        let config = match &input.config {
            Some(path) => {
                let path = self.path(path);
                return Ok((config::load(&path)?.suite(), path.display().to_string()));
            }
            None if !self.find_config => return Ok((Suite::built_in(), "built-in".to_owned())),
            None => config::discover(&self.working_dir, self.user_config_dir.as_deref())?,
        };
        let source = config
            .1
            .path()
            .map_or_else(|| "built-in".to_owned(), |path| path.display().to_string());
        Ok((config.0.suite(), source))
    }

    /// A path of the input, relative to the working folder.
    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.working_dir.join(path)
    }
}

fn run_plan(plan: &Plan, options: &RunOptions) -> Result<RunResult, Error> {
    let shared = Shared::new(options.observer.clone(), options.cancel.clone());
    shared.emit(&Event::RunStarted {
        target: crate::redact::Redactor::new(&plan.input)
            .text(&assemble::target_line(&plan.input.target)),
        seed: plan.seed,
        max_calls: plan.max_calls(),
        time_limit: plan.input.time_limit,
    });
    let mut sessions = Sessions::new(plan);
    let mut session = sessions.open()?;
    let startup = plan.elapsed();
    sessions.fix_revision(session.revision());
    let server = session.server().clone();
    let catalog = crate::discover::fetch(&mut session);
    sessions.mark(&catalog);
    sessions.tell(&mut session);
    let judge = Judge { plan, server: &server, catalog: &catalog, revision: session.revision() };
    announce_server(&shared, judge);
    judge_lists(judge, &shared, &mut session);
    let session = Some(session).filter(Session::is_open);
    let mut worker = Worker::new(judge, &shared, sessions, session, (0, plan.input.workers));
    let stopped = shared.findings.has_error() && !plan.input.keep_going && has_list_error(&shared);
    if stopped {
        shared.end("lists");
    }
    let extra = phases::run_all(&mut worker, options)?;
    let (mut record, mind, mut closings) = worker.finish();
    let mut corpus = mind.report(&catalog);
    for (other, mind, other_closings) in extra.workers {
        crate::report::merge_corpus(&mut corpus, mind.report(&catalog));
        record.merge(other);
        closings.extend(other_closings);
    }
    closings.truncate(crate::record::CLOSINGS_KEPT);
    record.closings = closings;
    judge_run(judge, &shared, &record);
    let saved = save_failures(judge, &shared, options);
    let mut result = conclude::conclude(judge, &shared, &record, corpus, startup);
    result.replayed = extra.replayed;
    if let Err(error) = saved {
        result.not_measured.push(NotMeasured {
            subject: "failure files".to_owned(),
            reason: error.to_string(),
            hint: Some("--failure-dir".to_owned()),
        });
    }
    conclude::finish(judge, &shared, &result)
}

fn announce_server(shared: &Shared, judge: Judge<'_>) {
    let redactor = crate::redact::Redactor::new(&judge.plan.input);
    shared.emit(&Event::ServerReady {
        name: redactor.text(&judge.server.name),
        version: redactor.text(&judge.server.version),
        revision: judge.revision.to_string(),
        tools: judge.catalog.tools.len(),
        resources: judge.catalog.resources.len(),
        prompts: judge.catalog.prompts.len(),
    });
}

/// Judges the handshake and the lists, before any tool call.
fn judge_lists(judge: Judge<'_>, shared: &Shared, session: &mut Session) {
    let stray = session.stray();
    let opening = judge.server.opening.as_deref();
    let pages = judge.catalog.listings.iter().flat_map(|listing| &listing.pages);
    for (number, exchange) in opening.into_iter().chain(pages).enumerate() {
        let stray = if number == 0 { stray.as_slice() } else { &[] };
        note_exchange(judge, shared, exchange, stray);
    }
    let context = ListContext {
        revision: judge.revision,
        input: &judge.plan.input,
        server: judge.server,
        catalog: judge.catalog,
        seen: &Seen::default(),
    };
    let mut problems = Vec::new();
    for setting in judge.plan.suite.at(Hook::List, judge.revision) {
        setting.lint.list(&context, &mut problems);
        for problem in problems.drain(..) {
            shared
                .findings
                .note(Verdict::new(setting, problem, None, false), Phase::Lists, || None);
        }
    }
}

/// Judges an exchange outside of cases.
pub(crate) fn note_exchange(
    judge: Judge<'_>,
    shared: &Shared,
    exchange: &Exchange,
    stray: &[crate::message::Frame],
) {
    for verdict in judge.exchange(None, exchange, &Outcome::of(exchange), &[], stray) {
        shared.findings.note(verdict, Phase::Lists, || None);
    }
}

/// Whether a list lint (not a passive one) found an error, which stops the run before any call.
fn has_list_error(shared: &Shared) -> bool {
    let standing = shared.findings.standing();
    standing.iter().any(|(_, found)| {
        found.verdict.level == Level::Error
            && crate::lints::entry(found.verdict.lint)
                .is_some_and(|entry| entry.meta.hook == Hook::List)
    })
}

/// Judges the finished record.
fn judge_run(judge: Judge<'_>, shared: &Shared, record: &Record) {
    let context = RunContext {
        revision: judge.revision,
        input: &judge.plan.input,
        catalog: judge.catalog,
        record,
    };
    let mut problems = Vec::new();
    for setting in judge.plan.suite.at(Hook::Run, judge.revision) {
        setting.lint.run(&context, &mut problems);
        for problem in problems.drain(..) {
            let excerpt = problem.sample.as_ref().map(|sample| {
                let traced = crate::shrink::Traced::new(&sample.execution);
                Arc::new(traced.excerpt(&sample.execution, sample.step))
            });
            let step = excerpt.as_ref().map(|excerpt| excerpt.exchanges.len() - 1);
            let verdict = Verdict::new(setting, problem, step, false);
            shared.findings.note(verdict, Phase::Stateful, || excerpt);
        }
    }
}

fn save_failures(judge: Judge<'_>, shared: &Shared, options: &RunOptions) -> Result<(), Error> {
    let folder = &judge.plan.input.failure_dir;
    if folder.is_empty() {
        return Ok(());
    }
    for (fingerprint, mut found) in shared.findings.standing() {
        // What only the record of a whole run shows cannot be shown again by one case.
        let from_record = crate::lints::entry(found.verdict.lint)
            .is_some_and(|entry| entry.meta.hook == Hook::Run);
        let Some(execution) = found.execution.as_ref().filter(|_| !from_record) else {
            continue;
        };
        let failure = phases::replay::failure(judge, &fingerprint, &found, execution);
        let path = failure.write(&options.path(folder))?;
        found.failure_file =
            Some(path.strip_prefix(&options.working_dir).unwrap_or(&path).display().to_string());
        shared.findings.update(&fingerprint, found);
    }
    Ok(())
}

/// What a server offers, without judging or calling anything.
///
/// # Errors
/// As [`run_blocking`].
pub fn list_blocking(
    input: TooltestInput,
    options: &RunOptions,
) -> Result<(ServerIdentity, crate::protocol::Revision, Catalog), Error> {
    let plan = Plan::new(input, options)?;
    let mut sessions = Sessions::new(&plan);
    let mut session = sessions.open()?;
    let server = session.server().clone();
    let revision = session.revision();
    let catalog = crate::discover::fetch(&mut session);
    sessions.close(session);
    sessions.finish();
    Ok((server, revision, catalog))
}

/// Calls one tool once; the exchange is returned whatever came back. `choose` gets what the server offers and says which tool
/// is called with which arguments (null leaves them out).
///
/// # Errors
/// As [`run_blocking`], and what `choose` says.
pub fn call_blocking(
    input: TooltestInput,
    options: &RunOptions,
    choose: impl FnOnce(&Catalog) -> Result<(String, serde_json::Value), Error>,
) -> Result<Exchange, Error> {
    let plan = Plan::new(input, options)?;
    let mut sessions = Sessions::new(&plan);
    let mut session = sessions.open()?;
    let catalog = crate::discover::fetch(&mut session);
    sessions.mark(&catalog);
    sessions.tell(&mut session);
    let exchange = choose(&catalog).map(|(tool, arguments)| {
        let mut params = serde_json::json!({ "name": tool });
        if !arguments.is_null() {
            params["arguments"] = arguments;
        }
        session.request("tools/call", params)
    });
    sessions.close(session);
    sessions.finish();
    exchange
}
