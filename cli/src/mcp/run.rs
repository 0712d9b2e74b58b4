//! Carrying out a run for a client: on a thread of its own, with progress while it lasts, and an end when the client wants one.

use super::leaving::Gone;
use axum::http::request::Parts;
use rmcp::RoleServer;
use rmcp::model::{ProgressNotificationParam, ProgressToken};
use rmcp::service::RequestContext;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};
use tokio_util::sync::CancellationToken;
use tooltest_core::event::Event;
use tooltest_core::session::CancelToken;
use tooltest_core::{Error, RunOptions, RunResult};

/// Runs at once; further ones wait.
const AT_ONCE: usize = 8;
/// How often a client that wants it hears about progress.
const EVERY: Duration = Duration::from_millis(500);
/// How long runs may take to end their servers when tooltest ends.
const LAST_RUNS: Duration = Duration::from_secs(5);

/// The runs of this process.
#[derive(Clone)]
pub(crate) struct Runs {
    slots: Arc<Semaphore>,
    end: CancellationToken,
    options: Arc<dyn Fn() -> RunOptions + Send + Sync>,
}

impl Runs {
    /// Runs that start from what `options` gives: folders, and a fresh seed for each.
    pub(crate) fn new(options: impl Fn() -> RunOptions + Send + Sync + 'static) -> Self {
        Self {
            slots: Arc::new(Semaphore::new(AT_ONCE)),
            end: CancellationToken::new(),
            options: Arc::new(options),
        }
    }

    /// Ends every run when it is cancelled.
    pub(super) fn end(&self) -> &CancellationToken {
        &self.end
    }

    /// What a run gets from the process.
    pub(crate) fn options(&self) -> RunOptions {
        (self.options)()
    }

    /// Carries out `work`. A client that cancels, or goes away, ends it; what was found until then comes back.
    ///
    /// # Errors
    /// What `work` says.
    pub(crate) async fn carry_out(
        &self,
        context: &RequestContext<RoleServer>,
        seconds: f64,
        work: impl FnOnce(&RunOptions) -> Result<RunResult, Error> + Send + 'static,
    ) -> Result<RunResult, Error> {
        let mut options = self.options();
        let cancel = CancelOnDrop(options.cancel.clone());
        let mut progress = Progress::new(context, seconds);
        options.observer = Some(progress.observer());
        let Some(slot) = self.slot(context, &mut progress).await else {
            return Err(Error::Open(tooltest_core::session::OpenError::Cancelled));
        };
        let mut done = start(slot, options, work)?;
        let end = self.wanted_end(context);
        tokio::pin!(end);
        let mut ended = false;
        loop {
            tokio::select! {
                result = &mut done => {
                    return result.unwrap_or_else(|_| {
                        Err(Error::Bug("the run's thread ended without a result".to_owned()))
                    });
                }
                () = &mut end, if !ended => {
                    ended = true;
                    cancel.0.cancel();
                }
                () = tokio::time::sleep(EVERY) => progress.tell(context).await,
            }
        }
    }

    /// Waits for its turn; `None` where the client no longer wants it.
    async fn slot(
        &self,
        context: &RequestContext<RoleServer>,
        progress: &mut Progress,
    ) -> Option<OwnedSemaphorePermit> {
        let slot = Arc::clone(&self.slots).acquire_owned();
        let end = self.wanted_end(context);
        tokio::pin!(slot, end);
        loop {
            tokio::select! {
                slot = &mut slot => return slot.ok(),
                () = &mut end => return None,
                () = tokio::time::sleep(EVERY) => progress.tell(context).await,
            }
        }
    }

    /// Waits until the client cancels the request, ends the session, or is gone, or tooltest ends.
    pub(super) async fn wanted_end(&self, context: &RequestContext<RoleServer>) {
        let head = context.extensions.get::<Parts>();
        let gone = head.and_then(|head| head.extensions.get::<Gone>());
        let client_gone = async {
            match gone {
                Some(gone) => gone.wait().await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            () = context.ct.cancelled() => {}
            () = self.end.cancelled() => {}
            () = client_gone => {}
        }
    }

    /// Ends every run, waits until they are over, and kills what is left of them.
    pub(super) async fn finish(&self) {
        self.end.cancel();
        let all = self.slots.acquire_many(u32::try_from(AT_ONCE).unwrap_or(u32::MAX));
        let _ = tokio::time::timeout(LAST_RUNS, all).await;
        tooltest_core::transport::kill_all();
    }
}

/// Starts the work; its result comes through the channel.
fn start(
    slot: OwnedSemaphorePermit,
    options: RunOptions,
    work: impl FnOnce(&RunOptions) -> Result<RunResult, Error> + Send + 'static,
) -> Result<oneshot::Receiver<Result<RunResult, Error>>, Error> {
    let (sender, receiver) = oneshot::channel();
    let thread = std::thread::Builder::new().name("tooltest-run".to_owned());
    let started = thread.spawn(move || {
        let result = work(&options);
        drop(slot);
        let _ = sender.send(result);
    });
    started.map_err(|error| Error::Bug(format!("no thread could be started: {error}")))?;
    Ok(receiver)
}

/// Ends a run whose request is dropped.
struct CancelOnDrop(CancelToken);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

/// What a client is told while a run goes on: seconds of those that it may take, and what is being done.
struct Progress {
    token: Option<ProgressToken>,
    doing: Arc<Mutex<String>>,
    since: Instant,
    seconds: f64,
}

impl Progress {
    fn new(context: &RequestContext<RoleServer>, seconds: f64) -> Self {
        let doing = Arc::new(Mutex::new("waiting".to_owned()));
        Self { token: context.meta.get_progress_token(), doing, since: Instant::now(), seconds }
    }

    fn observer(&self) -> tooltest_core::event::Observer {
        let doing = Arc::clone(&self.doing);
        Arc::new(move |event: &Event| {
            if let Some(words) = words(event) {
                *doing.lock().unwrap_or_else(PoisonError::into_inner) = words;
            }
        })
    }

    /// Tells the client, if it asked to be told. Each number is above the one before, as the specification wants.
    async fn tell(&mut self, context: &RequestContext<RoleServer>) {
        let Some(token) = &self.token else { return };
        let elapsed = self.since.elapsed().as_secs_f64();
        let doing = self.doing.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let told = ProgressNotificationParam::new(token.clone(), elapsed)
            .with_total(self.seconds.max(elapsed))
            .with_message(doing);
        // A client that is gone is seen elsewhere.
        let _ = context.peer.notify_progress(told).await;
    }
}

/// An event in words, where it is worth some.
fn words(event: &Event) -> Option<String> {
    let plural =
        |count: usize, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
    match event {
        Event::RunStarted { .. } => Some("starting the server".to_owned()),
        Event::ServerReady { name, tools, .. } => {
            Some(format!("{name} answers, with {}", plural(*tools, "tool")))
        }
        Event::Progress { calls, findings, doing, .. } => {
            let calls = usize::try_from(*calls).unwrap_or(usize::MAX);
            let counts = format!("{}, {}", plural(calls, "call"), plural(*findings, "finding"));
            Some(if doing.is_empty() { counts } else { format!("{doing}: {counts}") })
        }
        _ => None,
    }
}
