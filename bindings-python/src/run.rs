//! A run on a thread of its own, and waiting for it without the GIL.

use crate::connector::PythonConnector;
use crate::documents::{parse, text};
use crate::failure;
use pyo3::exceptions::{PyException, PyRuntimeError};
use pyo3::prelude::*;
use serde::Deserialize;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tooltest_core::catalog::ListKind;
use tooltest_core::session::{CancelToken, Connector};
use tooltest_core::{Error, RunOptions, TooltestInput};

/// How often Python's signal handlers are asked while a run goes on.
const SIGNAL_CHECK: Duration = Duration::from_millis(20);
/// How long `KeyboardInterrupt` waits for a cancelled run; the rest of the clean-up goes on behind it.
const INTERRUPT_GRACE: Duration = Duration::from_millis(50);

/// Runs that are not over yet.
static LIVE: AtomicUsize = AtomicUsize::new(0);

/// What there is to do.
#[derive(Deserialize)]
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
}

enum Message {
    Event(String),
    Done(Result<String, Error>),
}

/// A run that goes on in the background.
#[pyclass(frozen, module = "tooltest._native")]
pub(crate) struct Run {
    cancel: CancelToken,
    messages: Mutex<Option<Receiver<Message>>>,
}

#[pymethods]
impl Run {
    /// Starts a run. `input` and `settings` are JSON text; `connect(outbox)` starts an in-process server and returns what
    /// takes its messages; events are only kept where `events` is set.
    #[new]
    #[pyo3(signature = (input, settings, events = false, connect = None))]
    fn new(
        py: Python<'_>,
        input: &str,
        settings: &str,
        events: bool,
        connect: Option<Py<PyAny>>,
    ) -> PyResult<Self> {
        let input = TooltestInput::from_json(input).map_err(|error| failure::raise(py, &error))?;
        let settings: Settings = parse(py, settings)?;
        let cancel = CancelToken::new();
        let (sender, messages) = channel();
        let options = RunOptions {
            observer: events.then(|| observer(sender.clone())),
            cancel: cancel.clone(),
            connector: connect
                .map(|start| Arc::new(PythonConnector::new(start)) as Arc<dyn Connector>),
            working_dir: settings.working_dir,
            user_config_dir: settings.user_config_dir,
            find_config: true,
            random_seed: settings.random_seed,
            replay: settings.replay,
        };
        let job = settings.job;
        LIVE.fetch_add(1, Ordering::SeqCst);
        let work = move || {
            let done = job.carry_out(input, &options);
            LIVE.fetch_sub(1, Ordering::SeqCst);
            let _ = sender.send(Message::Done(done));
        };
        let started = std::thread::Builder::new().name("tooltest-python".to_owned()).spawn(work);
        if let Err(error) = started {
            LIVE.fetch_sub(1, Ordering::SeqCst);
            return Err(failure::raise(
                py,
                &Error::Bug(format!("no thread could be started: {error}")),
            ));
        }
        Ok(Self { cancel, messages: Mutex::new(Some(messages)) })
    }

    /// Ends the run early; `wait` still returns what was found until then.
    fn cancel(&self) {
        self.cancel.cancel();
    }

    /// Waits for the result, as JSON text, and hands each event (JSON text) to `on_event` in this thread. An exception
    /// of `on_event`, or of a signal handler, ends the run and is raised.
    #[pyo3(signature = (on_event = None))]
    fn wait(&self, py: Python<'_>, on_event: Option<Py<PyAny>>) -> PyResult<String> {
        let messages = self.messages.lock().unwrap_or_else(PoisonError::into_inner).take();
        let messages =
            messages.ok_or_else(|| PyRuntimeError::new_err("this run was waited for already"))?;
        let mut messages = Some(messages);
        loop {
            let (back, next) = py.detach(|| receive(messages.take(), SIGNAL_CHECK));
            messages = back;
            let handled = match next {
                Ok(Message::Done(done)) => return done.map_err(|error| failure::raise(py, &error)),
                Ok(Message::Event(event)) => tell(py, on_event.as_ref(), &event),
                Err(RecvTimeoutError::Timeout) => Ok(()),
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(failure::raise(
                        py,
                        &Error::Bug("the run's thread ended without a result".to_owned()),
                    ));
                }
            };
            if let Err(raised) = handled.and_then(|()| py.check_signals()) {
                self.cancel.cancel();
                let interrupt = !raised.is_instance_of::<PyException>(py);
                let patience = if interrupt { INTERRUPT_GRACE } else { Duration::MAX };
                py.detach(|| drain(messages.take(), patience));
                return Err(raised);
            }
        }
    }
}

/// The receiver goes in and comes back, because it can be sent to another thread but not shared with one.
fn receive(
    messages: Option<Receiver<Message>>,
    patience: Duration,
) -> (Option<Receiver<Message>>, Result<Message, RecvTimeoutError>) {
    let next = messages
        .as_ref()
        .map_or(Err(RecvTimeoutError::Disconnected), |messages| messages.recv_timeout(patience));
    (messages, next)
}

fn tell(py: Python<'_>, on_event: Option<&Py<PyAny>>, event: &str) -> PyResult<()> {
    on_event.map_or(Ok(()), |on_event| on_event.call1(py, (event,)).map(drop))
}

/// Waits until the run is over, or for as long as there is patience.
fn drain(messages: Option<Receiver<Message>>, patience: Duration) {
    let until = Instant::now().checked_add(patience);
    let Some(messages) = messages else { return };
    loop {
        let left = until.map_or(Duration::from_secs(1), |until| {
            until.saturating_duration_since(Instant::now())
        });
        match messages.recv_timeout(left) {
            Ok(Message::Event(_)) => {}
            Err(RecvTimeoutError::Timeout) if until.is_none_or(|until| until > Instant::now()) => {}
            _ => return,
        }
    }
}

fn observer(sender: Sender<Message>) -> tooltest_core::event::Observer {
    Arc::new(move |event| {
        if let Ok(event) = text(event) {
            let _ = sender.send(Message::Event(event));
        }
    })
}

impl Job {
    fn carry_out(&self, input: TooltestInput, options: &RunOptions) -> Result<String, Error> {
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

/// The `tooltest` command, program name first; returns its exit code. Signals are the command's from here on.
#[pyfunction]
pub(crate) fn main(py: Python<'_>, args: Vec<OsString>) -> u8 {
    py.detach(|| tooltest::run_with_signals(args))
}

/// Called when the interpreter ends: gives cancelled runs a moment to close their servers, then kills what is left.
#[pyfunction]
pub(crate) fn end_all(py: Python<'_>) {
    py.detach(|| {
        let until = Instant::now() + Duration::from_secs(1);
        while LIVE.load(Ordering::SeqCst) > 0 && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(10));
        }
        if LIVE.load(Ordering::SeqCst) > 0 {
            tooltest_core::transport::kill_all();
        }
    });
}
