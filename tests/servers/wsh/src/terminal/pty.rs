//! A program in a pseudo terminal: three threads read its output, write its input and wait for its end.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::path::PathBuf;
use std::sync::mpsc;
use std::time::Duration;

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use rustix::process::{Pid, Signal};
use tokio::sync::{oneshot, watch};

use crate::failure::Failure;

/// How long a program gets to end by itself after the terminal was closed.
const GRACE: Duration = Duration::from_millis(300);

/// What to start, and where.
#[derive(Debug, Clone)]
pub(crate) struct Launch {
    pub(crate) argv: Vec<String>,
    pub(crate) cwd: PathBuf,
    pub(crate) env: BTreeMap<String, String>,
    /// Variables of this process that the program must not see.
    pub(crate) env_hidden: Vec<String>,
    pub(crate) rows: u16,
    pub(crate) cols: u16,
}

/// A running program and its terminal.
pub(crate) struct Pty {
    master: std::sync::Mutex<Box<dyn MasterPty + Send>>,
    input: mpsc::Sender<Input>,
    ended: watch::Receiver<bool>,
    pid: u32,
}

/// Bytes for the program, and where to report that it has them.
struct Input {
    bytes: Vec<u8>,
    written: Option<oneshot::Sender<()>>,
}

impl Pty {
    /// Starts the program. `on_output` draws its output and returns the terminal's answers to it.
    pub(crate) fn start<F>(launch: &Launch, mut on_output: F) -> Result<Self, Failure>
    where
        F: FnMut(&[u8]) -> Vec<u8> + Send + 'static,
    {
        let size = size(launch.rows, launch.cols);
        let pair = native_pty_system()
            .openpty(size)
            .map_err(|e| Failure::system("opening a terminal", e))?;
        let child = pair
            .slave
            .spawn_command(command(launch))
            .map_err(|e| Failure::system(&format!("starting {:?}", launch.argv[0]), e))?;
        // The program holds the terminal's other end now; ours would hide its end of file.
        drop(pair.slave);
        let pid = child.process_id().unwrap_or_default();
        let reader = pair
            .master
            .try_clone_reader()
            .map_err(|e| Failure::system("reading the terminal", e))?;
        let writer =
            pair.master.take_writer().map_err(|e| Failure::system("writing the terminal", e))?;

        let (input, inputs) = mpsc::channel();
        let answers = input.clone();
        let (end, ended) = watch::channel(false);
        std::thread::spawn(move || write_input(writer, &inputs));
        std::thread::spawn(move || {
            read_output(reader, |bytes| {
                let answer = on_output(bytes);
                if !answer.is_empty() {
                    // A program that has gone needs no answer.
                    let _ = answers.send(Input { bytes: answer, written: None });
                }
            });
        });
        std::thread::spawn(move || wait(child, &end));
        Ok(Self { master: std::sync::Mutex::new(pair.master), input, ended, pid })
    }

    /// The program's process id.
    pub(crate) fn pid(&self) -> u32 {
        self.pid
    }

    /// Whether the program still runs.
    pub(crate) fn running(&self) -> bool {
        !*self.ended.borrow()
    }

    /// Whether the program, or what it runs in the foreground, computes rather than waits, as far as /proc tells.
    pub(crate) fn busy(&self) -> bool {
        let Some(stat) = i32::try_from(self.pid).ok().and_then(Pid::from_raw).and_then(Stat::of)
        else {
            return false;
        };
        stat.busy
            || stat
                .foreground
                .filter(|group| group.as_raw_nonzero().get().unsigned_abs() != self.pid)
                .and_then(Stat::of)
                .is_some_and(|stat| stat.busy)
    }

    /// Types bytes. Returns whether the program's terminal took them all within `patience`; the rest waits its turn.
    pub(crate) async fn write(&self, bytes: Vec<u8>, patience: Duration) -> bool {
        let (written, done) = oneshot::channel();
        let sent = self.input.send(Input { bytes, written: Some(written) }).is_ok();
        sent && matches!(tokio::time::timeout(patience, done).await, Ok(Ok(())))
    }

    /// Tells the program its terminal's new size.
    pub(crate) fn resize(&self, rows: u16, cols: u16) -> Result<(), Failure> {
        let master = self.master.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        master.resize(size(rows, cols)).map_err(|e| Failure::system("resizing the terminal", e))
    }

    /// Ends the program and all it started in this terminal: a hang-up first, then by force.
    pub(crate) async fn kill(&self) {
        let Some(pid) = i32::try_from(self.pid).ok().and_then(Pid::from_raw) else { return };
        if self.running() {
            // The group may have ended just now, which is what we want.
            let _ = rustix::process::kill_process_group(pid, Signal::HUP);
            let mut ended = self.ended.clone();
            let _ = tokio::time::timeout(GRACE, ended.wait_for(|ended| *ended)).await;
        } else if rustix::process::test_kill_process(pid).is_ok() {
            // The number belongs to somebody else by now.
            return;
        }
        for member in session_members(pid) {
            let _ = rustix::process::kill_process(member, Signal::KILL);
        }
        let mut ended = self.ended.clone();
        let _ = tokio::time::timeout(GRACE, ended.wait_for(|ended| *ended)).await;
    }
}

fn size(rows: u16, cols: u16) -> PtySize {
    PtySize { rows, cols, pixel_width: 0, pixel_height: 0 }
}

fn command(launch: &Launch) -> CommandBuilder {
    let mut command = CommandBuilder::from_argv(launch.argv.iter().map(Into::into).collect());
    command.cwd(&launch.cwd);
    command.env("TERM", "xterm-256color");
    for key in &launch.env_hidden {
        command.env_remove(key);
    }
    for (key, value) in &launch.env {
        command.env(key, value);
    }
    command
}

fn read_output(mut reader: Box<dyn Read + Send>, mut on_output: impl FnMut(&[u8])) {
    let mut buffer = vec![0; 16 * 1024];
    loop {
        match reader.read(&mut buffer) {
            Ok(0) => return,
            Ok(length) => on_output(&buffer[..length]),
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(_) => return,
        }
    }
}

fn write_input(mut writer: Box<dyn Write + Send>, inputs: &mpsc::Receiver<Input>) {
    while let Ok(input) = inputs.recv() {
        if writer.write_all(&input.bytes).and_then(|()| writer.flush()).is_err() {
            return;
        }
        if let Some(written) = input.written {
            // The caller may have stopped waiting.
            let _ = written.send(());
        }
    }
}

fn wait(mut child: Box<dyn Child + Send + Sync>, end: &watch::Sender<bool>) {
    if let Err(error) = child.wait() {
        tracing::warn!(%error, "waiting for a program failed");
    }
    end.send_replace(true);
}

/// Processes of the terminal session that `leader` leads, as far as /proc tells.
fn session_members(leader: Pid) -> Vec<Pid> {
    let Ok(entries) = std::fs::read_dir("/proc") else { return Vec::new() };
    let pids = entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    let member = |pid: &Pid| Stat::of(*pid).and_then(|stat| stat.session) == Some(leader);
    pids.filter_map(Pid::from_raw).filter(member).collect()
}

/// What /proc tells about a process.
struct Stat {
    /// Whether it computes, or is about to.
    busy: bool,
    /// The terminal session it belongs to, by the process that leads it.
    session: Option<Pid>,
    /// The process group that its terminal listens to.
    foreground: Option<Pid>,
}

impl Stat {
    fn of(pid: Pid) -> Option<Self> {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero())).ok()?;
        // The name stands in parentheses and may contain anything; the fields follow it.
        let (_, fields) = stat.rsplit_once(')')?;
        let fields: Vec<&str> = fields.split_whitespace().collect();
        let pid_at = |place: usize| {
            Pid::from_raw(fields.get(place)?.parse().ok().filter(|number| *number > 0)?)
        };
        Some(Self {
            busy: matches!(*fields.first()?, "R" | "D"),
            session: pid_at(3),
            foreground: pid_at(5),
        })
    }
}
