//! A run on a thread of its own, which tells JavaScript what happens.

use crate::connector::{NodeConnector, Sessions};
use crate::documents::{parse, text};
use crate::failure::{self, Result};
use crate::notice::{Callback, Notice, Tell};
use napi_derive::napi;
use serde::Deserialize;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tooltest_core::catalog::ListKind;
use tooltest_core::session::{CancelToken, Connector};
use tooltest_core::{Error, RunOptions, TooltestInput};

/// How long the end of the process waits for a run to close its servers.
const END_WITHIN: Duration = Duration::from_secs(1);

/// What there is to do.
#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "snake_case")]
enum Job {
    Run,
    Lint,
    ListTools,
}

/// What the core may not fetch by itself.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Settings {
    job: Job,
    working_dir: PathBuf,
    user_config_dir: Option<PathBuf>,
    random_seed: u64,
    replay: Vec<PathBuf>,
    events: bool,
}

impl Settings {
    fn options(self, cancel: &CancelToken) -> RunOptions {
        RunOptions {
            cancel: cancel.clone(),
            working_dir: self.working_dir,
            user_config_dir: self.user_config_dir,
            find_config: true,
            random_seed: self.random_seed,
            replay: self.replay,
            ..RunOptions::default()
        }
    }
}

/// A run that goes on in the background.
#[napi]
pub struct Run {
    cancel: CancelToken,
    sessions: Arc<Sessions>,
    over: Mutex<Receiver<()>>,
}

#[napi]
impl Run {
    /// Starts a run. `input` and `settings` are JSON text; `tell(kind, session, text)` gets what happens.
    #[napi(constructor)]
    pub fn new(input: String, settings: String, tell: Callback<'_>) -> Result<Self> {
        let input = TooltestInput::from_json(&input).map_err(|error| failure::raise(&error))?;
        let settings: Settings = parse(&settings)?;
        let tell = Tell::new(&tell).map_err(|error| failure::bug(error.to_string()))?;
        let (job, events) = (settings.job, settings.events);
        let cancel = CancelToken::new();
        let sessions = Arc::new(Sessions::default());
        let connector = NodeConnector { tell: tell.clone(), sessions: Arc::clone(&sessions) };
        let options = RunOptions {
            observer: events.then(|| observer(tell.clone())),
            connector: Some(Arc::new(connector) as Arc<dyn Connector>),
            ..settings.options(&cancel)
        };
        let (ended, over) = channel();
        let work = move || {
            let done = job.carry_out(input, &options);
            drop(options);
            tell.tell(done.map_or_else(Notice::Failed, Notice::Done));
            drop(ended);
        };
        let started = std::thread::Builder::new().name("tooltest-node".to_owned()).spawn(work);
        started.map_err(|error| failure::bug(format!("no thread could be started: {error}")))?;
        Ok(Self { cancel, sessions, over: Mutex::new(over) })
    }

    /// Ends the run early; it still tells its result.
    #[napi]
    pub fn cancel(&self) {
        self.cancel.cancel();
        self.sessions.give_up();
    }

    /// The in-process server of a session runs, or could not be started for this reason.
    #[napi]
    pub fn opened(&self, session: u32, fault: Option<String>) {
        self.sessions.opened(session, fault.map_or(Ok(()), Err));
    }

    /// Sends one message of an in-process server; returns whether anybody still listens.
    #[napi]
    pub fn send(&self, session: u32, message: String) -> bool {
        self.sessions.send(session, message)
    }

    /// The in-process server of a session has ended.
    #[napi]
    pub fn closed(&self, session: u32) {
        self.sessions.closed(session);
    }

    /// For the end of the process: ends the run and gives it a moment to close its servers.
    #[napi]
    pub fn end(&self) {
        self.cancel();
        let over = self.over.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = over.recv_timeout(END_WITHIN);
    }
}

/// A thread that JavaScript forgot about must not go on.
impl Drop for Run {
    fn drop(&mut self) {
        self.cancel();
    }
}

/// The tools of a server, as JSON text; blocks JavaScript meanwhile, for places that cannot wait.
#[napi]
pub fn list_tools_sync(input: String, settings: String) -> Result<String> {
    let input = TooltestInput::from_json(&input).map_err(|error| failure::raise(&error))?;
    let settings: Settings = parse(&settings)?;
    let options = settings.options(&CancelToken::new());
    Job::ListTools.carry_out(input, &options).map_err(|error| failure::raise(&error))
}

fn observer(tell: Tell) -> tooltest_core::event::Observer {
    Arc::new(move |event| {
        if let Ok(event) = text(event) {
            tell.tell(Notice::Event(event));
        }
    })
}

impl Job {
    fn carry_out(
        self,
        input: TooltestInput,
        options: &RunOptions,
    ) -> std::result::Result<String, Error> {
        match self {
            Self::Run => text(&tooltest_core::run_blocking(input, options)?),
            Self::Lint => text(&tooltest_core::lint_blocking(input, options)?),
            Self::ListTools => {
                let (_, _, catalog) = tooltest_core::list_blocking(input, options)?;
                text(&catalog.items(ListKind::Tools).collect::<Vec<_>>())
            }
        }
    }
}
