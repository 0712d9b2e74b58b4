//! One live session.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::watch;

use super::elements::Elements;
use crate::failure::Failure;
use crate::terminal::{Emulator, Launch, Pty};

/// Output that is on its way counts as arrived after this much silence.
const SETTLED: Duration = Duration::from_millis(5);
/// Longest wait for output that is on its way.
const SETTLE_LIMIT: Duration = Duration::from_millis(100);
/// How long a program that computes may take to react to what it got.
const REACTION_LIMIT: Duration = Duration::from_secs(1);
/// How long a program may leave its input unread before a call stops waiting for it.
const INPUT_PATIENCE: Duration = Duration::from_secs(1);

/// A program in a terminal, its screen, and what is drawn over it.
pub(crate) struct Session {
    pty: Pty,
    emulator: Arc<Mutex<Emulator>>,
    elements: Mutex<Elements>,
    generation: watch::Receiver<u64>,
    /// Rows of the whole terminal; panels take some of them from the program.
    rows: u16,
    cols: u16,
    /// Counts detachments; viewers leave when it changes.
    detachments: watch::Sender<u64>,
    /// Tells viewers that elements have changed.
    drawn: watch::Sender<()>,
}

impl Session {
    /// Starts the program and waits a moment for its first output.
    pub(crate) async fn start(launch: Launch, history: usize) -> Result<Self, Failure> {
        let (rows, cols) = (launch.rows, launch.cols);
        let emulator = Arc::new(Mutex::new(Emulator::new(rows, cols, history)));
        let (changed, generation) = watch::channel(0);
        let screen = Arc::clone(&emulator);
        let on_output = move |bytes: &[u8]| {
            let mut screen = lock(&screen);
            let answers = screen.feed(bytes);
            changed.send_replace(screen.generation());
            answers
        };
        let pty = tokio::task::spawn_blocking(move || Pty::start(&launch, on_output))
            .await
            .map_err(|e| Failure::system("starting the session", e))??;
        let session = Self {
            pty,
            emulator,
            elements: Mutex::default(),
            generation,
            rows,
            cols,
            detachments: watch::Sender::new(0),
            drawn: watch::Sender::new(()),
        };
        session.first_output().await;
        Ok(session)
    }

    /// The program in its terminal.
    pub(crate) fn pty(&self) -> &Pty {
        &self.pty
    }

    /// The screen, locked.
    pub(crate) fn emulator(&self) -> MutexGuard<'_, Emulator> {
        lock(&self.emulator)
    }

    /// What is drawn over the screen, locked.
    pub(crate) fn elements(&self) -> MutexGuard<'_, Elements> {
        lock(&self.elements)
    }

    /// Rows of the terminal, those of panels included.
    pub(crate) fn whole_rows(&self) -> u16 {
        self.rows
    }

    /// Types bytes. Returns whether the program's terminal has taken them.
    pub(crate) async fn write(&self, bytes: Vec<u8>) -> bool {
        self.emulator().stir();
        let taken = self.pty.write(bytes, INPUT_PATIENCE).await;
        self.emulator().stir();
        taken
    }

    /// Gives the program the rows that panels leave. The elements stay locked, so that the last change wins.
    pub(crate) fn fit(&self, elements: &mut Elements) -> Result<(), Failure> {
        let rows = self.rows.saturating_sub(elements.panel_rows()).max(1);
        self.emulator().resize(rows, self.cols);
        self.emulator().stir();
        self.redraw();
        self.pty.resize(rows, self.cols)
    }

    /// Waits for a silence of `quiet`. Returns the generation, and whether the silence came within `patience`.
    pub(crate) async fn idle(&self, quiet: Duration, patience: Duration) -> (u64, bool) {
        let deadline = Instant::now() + patience;
        let mut generation = self.generation.clone();
        loop {
            let (since, seen) = {
                let emulator = self.emulator();
                (emulator.last_activity().elapsed(), emulator.generation())
            };
            let left = deadline.saturating_duration_since(Instant::now());
            if since >= quiet {
                return (seen, true);
            }
            if left.is_zero() {
                return (seen, false);
            }
            let pause = quiet.saturating_sub(since).min(left);
            // New output only moves the moment of silence, which the next round sees.
            if let Ok(Err(_)) = tokio::time::timeout(pause, generation.changed()).await {
                // The program has ended: nothing will change any more.
                tokio::time::sleep(pause).await;
            }
        }
    }

    /// Lets output that is on its way arrive, so that reading after writing sees the echo.
    pub(crate) async fn settle(&self) {
        let reacting = || self.pty.busy() && self.emulator().last_stir().elapsed() < REACTION_LIMIT;
        while self.idle(SETTLED, SETTLE_LIMIT).await.1 && reacting() {
            tokio::time::sleep(SETTLED / 5).await;
        }
    }

    /// Waits until the program has printed something, for programs that greet.
    async fn first_output(&self) {
        let mut generation = self.generation.clone();
        let greeted = tokio::time::timeout(REACTION_LIMIT, generation.wait_for(|bytes| *bytes > 0));
        if greeted.await.is_ok() {
            self.settle().await;
        }
    }

    /// Follows what viewers see: the program's output, and the elements.
    pub(crate) fn changes(&self) -> (watch::Receiver<u64>, watch::Receiver<()>) {
        (self.generation.clone(), self.drawn.subscribe())
    }

    /// Tells viewers that elements have changed.
    pub(crate) fn redraw(&self) {
        self.drawn.send_replace(());
    }

    /// Joins the viewers: changes when they are to leave.
    pub(crate) fn attach(&self) -> watch::Receiver<u64> {
        self.detachments.subscribe()
    }

    /// Sends all viewers away and returns how many there were.
    pub(crate) fn detach(&self) -> usize {
        let viewers = self.detachments.receiver_count();
        self.detachments.send_modify(|count| *count += 1);
        viewers
    }
}

/// Locks even after a panic elsewhere: every change under these locks is complete at each step.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
