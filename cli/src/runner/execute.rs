//! Runs an approved script: no shell, a group of its own, standard input closed, and an end for everything it started.

use super::error::{Code, Refusal};
use super::group::Group;
use super::lines::{Budget, Line, Lines};
use super::policy::Approved;
use std::os::unix::process::ExitStatusExt;
use std::process::{ExitStatus, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::process::{Child, Command};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

/// How long output that was written before the end may take to be read, where the caller reads slowly.
const DRAIN: Duration = Duration::from_secs(5);
/// How often starting a file that somebody still writes is tried again.
const BUSY_TRIES: usize = 10;

/// Which stream a line came on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stream {
    Stdout,
    Stderr,
}

/// What a run sends, ending with `Done`.
#[derive(Debug)]
pub(crate) enum Happening {
    /// A line of output.
    Line(Stream, Line),
    /// It is over, and on record.
    Done(Result<Finished, Refusal>),
}

/// How much output is kept.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    /// Bytes of both streams together.
    pub(crate) output: usize,
    /// Bytes of a line.
    pub(crate) line: usize,
}

/// A script that was started and is over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Finished {
    /// Milliseconds from start to end.
    pub(crate) duration_ms: u64,
    /// Whether output was cut.
    pub(crate) truncated: bool,
    /// Its exit code (128 and the signal's number where a signal ended it), or why it was ended.
    pub(crate) end: Result<i32, Refusal>,
}

/// Runs the script and sends its lines. Returns when nothing of it is left; an error means that it was not started.
pub(crate) async fn execute(
    approved: &Approved,
    limits: Limits,
    lines: mpsc::Sender<Happening>,
    cancel: &CancellationToken,
) -> Result<Finished, Refusal> {
    let mut child = start(approved).await?;
    let started = Instant::now();
    let group = child.id().and_then(Group::of);
    let budget = Arc::new(Budget::new(limits.output));
    let readers = [
        read(child.stdout.take(), Stream::Stdout, limits, &budget, lines.clone()),
        read(child.stderr.take(), Stream::Stderr, limits, &budget, lines),
    ];
    let end = tokio::select! {
        status = child.wait() => status.map(exit_code).map_err(|error| {
            Refusal::new(Code::Exec, format!("the script's end was lost: {error}"))
        }),
        () = tokio::time::sleep(approved.timeout) => Err(timed_out(approved.timeout)),
        () = cancel.cancelled() => Err(Refusal::new(Code::Exec, "its caller went away, so the script was ended")),
    };
    let duration = started.elapsed();
    clear(group, &mut child).await;
    let mut truncated = false;
    for reader in readers {
        truncated |= drain(reader).await;
    }
    let duration_ms = u64::try_from(duration.as_millis()).unwrap_or(u64::MAX);
    Ok(Finished { duration_ms, truncated, end })
}

/// Starts the script; a file that is being written is tried again.
async fn start(approved: &Approved) -> Result<Child, Refusal> {
    let mut command = Command::new(&approved.program);
    command.args(&approved.args).env_clear().envs(&approved.env).current_dir(&approved.folder);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.process_group(0).kill_on_drop(true);
    let busy = Some(rustix::io::Errno::TXTBSY.raw_os_error());
    let mut tries = 0;
    loop {
        match command.spawn() {
            Err(error) if error.raw_os_error() == busy && tries < BUSY_TRIES => tries += 1,
            started => return started.map_err(|error| not_started(approved, &error)),
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

fn not_started(approved: &Approved, error: &std::io::Error) -> Refusal {
    let script = approved.program.display();
    let format = Some(rustix::io::Errno::NOEXEC.raw_os_error());
    let hint = match error.kind() {
        std::io::ErrorKind::PermissionDenied => {
            "; allowed are files with the permission to execute (chmod +x)"
        }
        std::io::ErrorKind::NotFound => "; the program that its first line names must be there",
        _ if error.raw_os_error() == format => {
            "; allowed are programs and scripts whose first line names their interpreter (#!/bin/sh)"
        }
        _ => "",
    };
    let reason = crate::failure::plain(error);
    Refusal::new(Code::Exec, format!("{script} cannot be started: {reason}{hint}"))
}

fn timed_out(timeout: Duration) -> Refusal {
    let most = super::policy::LONGEST_TIMEOUT_MS;
    Refusal::new(
        Code::Timeout,
        format!(
            "the script was ended after {} ms with everything that it had started; a timeout_ms of up to {most} is allowed",
            timeout.as_millis()
        ),
    )
}

fn exit_code(status: ExitStatus) -> i32 {
    status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or_default())
}

/// Ends what is left of the script, and reaps it.
async fn clear(group: Option<Group>, child: &mut Child) {
    // Looking through the processes reads files, which is nothing for a thread that others wait on.
    let ended = tokio::task::spawn_blocking(move || drop(group)).await;
    if ended.is_err() {
        let _ = child.start_kill();
    }
    let _ = child.wait().await;
}

/// Reads a stream to its end, whatever is kept of it, so that the script never waits for a reader that has had enough.
fn read(
    stream: Option<impl AsyncRead + Unpin + Send + 'static>,
    which: Stream,
    limits: Limits,
    budget: &Arc<Budget>,
    sender: mpsc::Sender<Happening>,
) -> JoinHandle<bool> {
    let budget = Arc::clone(budget);
    tokio::spawn(async move {
        let Some(mut stream) = stream else { return false };
        let mut lines = Lines::new(limits.line, &budget);
        let mut chunk = vec![0; 16 * 1024];
        loop {
            let count = match stream.read(&mut chunk).await {
                Ok(count) if count > 0 => count,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
                _ => break,
            };
            for line in lines.push(&chunk[..count]) {
                // Nobody listens any more: the rest is read and dropped.
                let _ = sender.send(Happening::Line(which, line)).await;
            }
        }
        if let Some(line) = lines.finish() {
            let _ = sender.send(Happening::Line(which, line)).await;
        }
        lines.truncated()
    })
}

/// Waits for a reader; tells whether output was cut. What is not read in time is lost.
async fn drain(mut reader: JoinHandle<bool>) -> bool {
    if let Ok(truncated) = tokio::time::timeout(DRAIN, &mut reader).await {
        return truncated.unwrap_or(true);
    }
    reader.abort();
    true
}
