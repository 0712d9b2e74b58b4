//! Fresh sessions: opened ahead of need where starting is slow, closed behind the run's back, counted, isolated on request.

use crate::catalog::Catalog;
use crate::error::Error;
use crate::input::Target;
use crate::plan::Plan;
use crate::record::CLOSINGS_KEPT;
use crate::session::{Closing, OpenError, ParamHeader, Protocol, Session, SessionOptions};
use serde_json::Value;
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Starts slower than this are worth a spare session.
const SLOW_START: Duration = Duration::from_millis(40);
/// How long to wait before a server that did not start beside another gets another chance.
const PAUSES: [Duration; 2] = [Duration::from_millis(200), Duration::from_secs(2)];
/// How many closings may be under way at once.
const CLOSING_AT_ONCE: usize = 4;

/// Opens and closes the sessions of one worker.
pub(crate) struct Sessions<'a> {
    plan: &'a Plan,
    target: Target,
    options: SessionOptions,
    opener: Option<Opener>,
    spare_ordered: bool,
    /// Set when the server does not start while another one runs or has just been ended.
    alone: bool,
    closing: Vec<JoinHandle<()>>,
    closed: (Sender<Closing>, Receiver<Closing>),
    /// How the first ones ended; at most [`CLOSINGS_KEPT`].
    kept: Vec<Closing>,
    last_start: Duration,
    home: Option<PrivateHome>,
    marked: Vec<(String, Vec<ParamHeader>)>,
    /// Sessions opened so far.
    pub(crate) opened: u64,
}

impl<'a> Sessions<'a> {
    /// Sessions for the plan's target.
    pub(crate) fn new(plan: &'a Plan) -> Self {
        Self {
            plan,
            target: plan.input.target.clone(),
            options: plan.session.clone(),
            opener: None,
            spare_ordered: false,
            alone: false,
            closing: Vec::new(),
            closed: channel(),
            kept: Vec::new(),
            last_start: Duration::ZERO,
            home: None,
            marked: Vec::new(),
            opened: 0,
        }
    }

    /// Opens with this revision from now on, so that the era is found out once.
    pub(crate) fn fix_revision(&mut self, revision: crate::protocol::Revision) {
        self.options.protocol = Protocol::Fixed(revision);
    }

    /// Repeats marked arguments of these tools in headers from now on, where the revision and the transport have them.
    pub(crate) fn mark(&mut self, catalog: &Catalog) {
        let marked = catalog.tools.iter().map(|tool| {
            let schema = tool.raw.get("inputSchema").unwrap_or(&Value::Null);
            (tool.name.clone(), ParamHeader::of_schema(schema))
        });
        self.marked = marked.filter(|(_, marked)| !marked.is_empty()).collect();
    }

    /// Tells a session which arguments are marked; sessions opened after [`Sessions::mark`] know.
    pub(crate) fn tell(&self, session: &mut Session) {
        for (tool, marked) in &self.marked {
            session.set_param_headers(tool, marked.clone());
        }
    }

    /// How long the latest start took that the run waited for.
    pub(crate) const fn last_start(&self) -> Duration {
        self.last_start
    }

    /// A fresh session.
    ///
    /// # Errors
    /// [`Error::Open`] where the server does not start, [`Error::Hook`] where the command that resets outside state fails.
    pub(crate) fn open(&mut self) -> Result<Session, Error> {
        let mut opened = self.open_once();
        for pause in PAUSES {
            // A server that started before may hold a lock, or a port, that another one still has.
            let others = self.opened > 1 && matches!(self.target, Target::Stdio(_));
            if !others
                || !matches!(opened, Err(Error::Open(_)))
                || self.options.cancel.is_cancelled()
            {
                break;
            }
            self.alone = true;
            self.await_others();
            std::thread::sleep(pause);
            opened = self.open_once();
        }
        opened
    }

    /// Waits until no other process of the server is left.
    fn await_others(&mut self) {
        if std::mem::take(&mut self.spare_ordered)
            && let Some(Ok(spare)) = self.opener.as_ref().and_then(Opener::take)
        {
            spare.close();
        }
        for handle in self.closing.drain(..) {
            let _ = handle.join();
        }
    }

    fn open_once(&mut self) -> Result<Session, Error> {
        if self.alone {
            self.await_others();
        }
        self.run_hook()?;
        self.opened += 1;
        if std::mem::take(&mut self.spare_ordered)
            && let Some(Ok(session)) = self.opener.as_ref().and_then(Opener::take)
            && session.is_open()
        {
            self.prepare_spare();
            return Ok(session);
        }
        let options = self.isolated()?;
        let started = Instant::now();
        let mut session = Session::open(&self.target, &options)?;
        self.tell(&mut session);
        self.last_start = started.elapsed();
        self.prepare_spare();
        Ok(session)
    }

    /// A connection on which nothing has been sent.
    ///
    /// # Errors
    /// As [`Sessions::open`].
    pub(crate) fn connect(&mut self) -> Result<Session, Error> {
        self.run_hook()?;
        self.opened += 1;
        let options = self.isolated()?;
        let mut session = Session::connect(&self.target, &options)?;
        self.tell(&mut session);
        Ok(session)
    }

    /// Closes a session; waiting for the server to end happens elsewhere.
    pub(crate) fn close(&mut self, session: Session) {
        self.closing.retain(|handle| !handle.is_finished());
        self.keep_closed();
        if self.closing.len() >= CLOSING_AT_ONCE {
            let _ = self.closing.remove(0).join();
        }
        let sender = self.closed.0.clone();
        let spawned =
            std::thread::Builder::new().name("tooltest-close".to_owned()).spawn(move || {
                let _ = sender.send(session.close());
            });
        self.closing.extend(spawned);
    }

    /// Ends everything and hands over how the sessions ended.
    pub(crate) fn finish(mut self) -> Vec<Closing> {
        self.await_others();
        self.keep_closed();
        self.kept
    }

    /// Takes in how sessions ended, so that what a long run keeps of them is bounded.
    fn keep_closed(&mut self) {
        for closing in self.closed.1.try_iter() {
            if self.kept.len() < CLOSINGS_KEPT {
                self.kept.push(closing);
            }
        }
    }

    fn prepare_spare(&mut self) {
        let worthwhile = self.last_start > SLOW_START
            && !self.alone
            && matches!(self.target, Target::Stdio(_))
            && !self.plan.input.isolate
            && self.plan.input.pre_run_hook.is_empty()
            && matches!(self.options.protocol, Protocol::Fixed(_));
        if worthwhile {
            let opener = self
                .opener
                .get_or_insert_with(|| Opener::new(self.target.clone(), self.options.clone()));
            self.spare_ordered = opener.order();
        }
    }

    fn isolated(&mut self) -> Result<SessionOptions, Error> {
        let mut options = self.options.clone();
        if self.plan.input.isolate {
            let home = PrivateHome::create(self.plan.input.fixture_dir.as_deref())?;
            options.extra_env.extend(home.environment());
            self.home = Some(home);
        }
        Ok(options)
    }

    fn run_hook(&self) -> Result<(), Error> {
        let Some((program, arguments)) = self.plan.input.pre_run_hook.split_first() else {
            return Ok(());
        };
        let output = Command::new(program).args(arguments).stdin(Stdio::null()).output();
        let output = output
            .map_err(|error| Error::Hook(format!("`{program}` could not be started: {error}")))?;
        if output.status.success() {
            return Ok(());
        }
        let text = |bytes: &[u8]| {
            String::from_utf8_lossy(bytes).trim().chars().take(2000).collect::<String>()
        };
        Err(Error::Hook(format!(
            "`{program}` ended with {}\nstdout: {}\nstderr: {}",
            output.status,
            text(&output.stdout),
            text(&output.stderr)
        )))
    }
}

/// Opens sessions ahead of need, on one thread that lives as long as they do: on Linux a child that asked to die with its
/// parent dies with the thread that started it.
struct Opener {
    orders: Sender<()>,
    ready: Receiver<Result<Session, OpenError>>,
}

impl Opener {
    fn new(target: Target, options: SessionOptions) -> Self {
        let (orders, ordered) = channel();
        let (opened, ready) = channel();
        let open = move || {
            for () in ordered {
                if opened.send(Session::open(&target, &options)).is_err() {
                    return;
                }
            }
        };
        // Without the thread nothing is ever ready, and sessions are opened when they are needed.
        let _ = std::thread::Builder::new().name("tooltest-open".to_owned()).spawn(open);
        Self { orders, ready }
    }

    fn order(&self) -> bool {
        self.orders.send(()).is_ok()
    }

    fn take(&self) -> Option<Result<Session, OpenError>> {
        self.ready.recv().ok()
    }
}

/// A private home folder for a server process; removed when dropped.
#[derive(Debug)]
struct PrivateHome {
    root: tempfile::TempDir,
}

impl PrivateHome {
    fn create(fixture: Option<&str>) -> Result<Self, Error> {
        let failed = |path: &std::path::Path| {
            let path = path.display().to_string();
            move |source| Error::File { path, source }
        };
        let root = tempfile::Builder::new().prefix("tooltest-").tempdir();
        let root = root.map_err(failed(std::path::Path::new("the temporary folder")))?;
        for folder in ["home", "tmp", "config", "data", "state"] {
            let folder = root.path().join(folder);
            std::fs::create_dir_all(&folder).map_err(failed(&folder))?;
        }
        if let Some(fixture) = fixture {
            copy_folder(std::path::Path::new(fixture), &root.path().join("home"))?;
        }
        Ok(Self { root })
    }

    fn environment(&self) -> Vec<(String, String)> {
        let folder = |name: &str| self.root.path().join(name).display().to_string();
        [
            ("HOME", "home"),
            ("TMPDIR", "tmp"),
            ("XDG_CONFIG_HOME", "config"),
            ("XDG_DATA_HOME", "data"),
            ("XDG_STATE_HOME", "state"),
        ]
        .into_iter()
        .map(|(name, value)| (name.to_owned(), folder(value)))
        .collect()
    }
}

fn copy_folder(from: &std::path::Path, to: &std::path::Path) -> Result<(), Error> {
    let failed = |source| Error::File { path: from.display().to_string(), source };
    for entry in std::fs::read_dir(from).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let target = to.join(entry.file_name());
        if entry.file_type().map_err(failed)?.is_dir() {
            std::fs::create_dir_all(&target).map_err(failed)?;
            copy_folder(&entry.path(), &target)?;
        } else {
            std::fs::copy(entry.path(), &target).map_err(failed)?;
        }
    }
    Ok(())
}
