//! A server on pipes: one message a line.

use super::cancel::CancelToken;
use super::error::OpenError;
use super::lines::LineBuffer;
use super::process::{Process, Rung, ShutdownPatience};
use super::{Closing, IDLE_SLICE, Incoming, Written};
use crate::input::StdioTarget;
use crate::message::Frame;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::io::ErrorKind;
use std::process::{ChildStdin, ChildStdout};
use std::time::{Duration, Instant};

/// How long a server that closed its output is given to end, so that its exit code is known.
const EXIT_GRACE: Duration = Duration::from_secs(1);

/// How long the children of a server that has ended may take to follow it.
const GROUP_GRACE: Duration = Duration::from_millis(500);
/// How many frames that come after the end of input are kept.
const KEPT_AT_CLOSE: usize = 1000;

/// After so many waits for output, one begins with a look for what is there.
const LOOK_AGAIN: u8 = 16;

/// Longer lines are not shown before they are taken.
const MOST_PEEKED: usize = 64 * 1024;

/// A server's process and its pipes.
#[derive(Debug)]
pub struct Stdio {
    process: Process,
    stdin: Option<ChildStdin>,
    stdout: ChildStdout,
    lines: LineBuffer,
    output_ended: bool,
    /// Waits for output until one begins with a look for what is there; none where that was there the last time.
    waits: u8,
    cancel: CancelToken,
    patience: ShutdownPatience,
}

/// What a wait for output came to.
enum Filled {
    Bytes,
    Nothing,
    Ended,
}

impl Stdio {
    /// Starts the process. Lines longer than `frame_cap` bytes are cut.
    pub fn spawn(
        target: &StdioTarget,
        extra_env: &[(String, String)],
        frame_cap: usize,
        patience: ShutdownPatience,
        cancel: CancelToken,
    ) -> Result<Self, OpenError> {
        let (process, stdin, stdout) = Process::spawn(target, extra_env)?;
        // Only these ends of the pipes: the server's ends stay as it expects them.
        let unblocked = rustix::io::ioctl_fionbio(&stdin, true)
            .and_then(|()| rustix::io::ioctl_fionbio(&stdout, true));
        unblocked.map_err(|error| OpenError::Spawn {
            command: target.command.clone(),
            reason: error.to_string(),
        })?;
        let lines = LineBuffer::new(frame_cap);
        Ok(Self {
            process,
            stdin: Some(stdin),
            stdout,
            lines,
            output_ended: false,
            waits: 0,
            cancel,
            patience,
        })
    }

    /// The process id.
    pub fn id(&self) -> u32 {
        self.process.id()
    }

    /// Writes `bytes`; while the server does not read, its output is taken in, so that neither side waits for the other.
    pub fn write(&mut self, mut bytes: &[u8], deadline: Instant) -> Written {
        while !bytes.is_empty() {
            let Some(stdin) = &self.stdin else {
                return Written::Closed;
            };
            match rustix::io::write(stdin, bytes) {
                Ok(count) => bytes = &bytes[count..],
                Err(rustix::io::Errno::INTR) => {}
                Err(rustix::io::Errno::AGAIN) => {
                    if self.cancel.is_cancelled() {
                        return Written::Cancelled;
                    }
                    if Instant::now() >= deadline {
                        return Written::Timeout;
                    }
                    self.wait_to_write();
                }
                Err(_) => {
                    self.stdin = None;
                    return Written::Closed;
                }
            }
        }
        Written::Whole
    }

    fn wait_to_write(&mut self) {
        let Some(stdin) = &self.stdin else { return };
        let mut fds =
            [PollFd::new(stdin, PollFlags::OUT), PollFd::new(&self.stdout, PollFlags::IN)];
        let watched = if self.output_ended { &mut fds[..1] } else { &mut fds[..] };
        let ready = poll(watched, Some(&slice_until(None)));
        let readable = !self.output_ended && ready.is_ok() && !fds[1].revents().is_empty();
        if readable && let Filled::Ended = self.read() {
            self.output_ended = true;
        }
    }

    /// The next frame, or why there is none by `deadline`.
    pub fn receive(&mut self, deadline: Instant) -> Incoming {
        loop {
            if let Some(frame) = self.lines.next_frame() {
                return Incoming::Frame { frame, ticket: None };
            }
            if self.output_ended {
                return self.at_end();
            }
            match self.fill(deadline) {
                Filled::Bytes => {
                    if let Some(frame) = self.lines.next_frame() {
                        return Incoming::Frame { frame, ticket: None };
                    }
                    // A line without an end must not keep anybody waiting for ever.
                    if Instant::now() >= deadline {
                        return Incoming::Timeout;
                    }
                }
                Filled::Ended => self.output_ended = true,
                Filled::Nothing if self.cancel.is_cancelled() => return Incoming::Cancelled,
                // A grandchild may hold the pipe open when the server itself is gone.
                Filled::Nothing if self.process.has_ended() && !self.has_output() => {
                    self.output_ended = true;
                }
                Filled::Nothing if Instant::now() >= deadline => return Incoming::Timeout,
                Filled::Nothing => {}
            }
        }
    }

    /// Waits for the next line and shows it; it stays where it is. `None` where anything but a line of ordinary length comes before
    /// `deadline`: [`Stdio::receive`] tells what.
    pub(crate) fn peek_line(&mut self, deadline: Instant) -> Option<&[u8]> {
        while self.lines.peek_line().is_none() {
            if self.output_ended || self.lines.pending() > MOST_PEEKED {
                return None;
            }
            match self.fill(deadline) {
                Filled::Bytes => {}
                Filled::Ended => self.output_ended = true,
                Filled::Nothing => {
                    let over = self.cancel.is_cancelled() || Instant::now() >= deadline;
                    if over || self.process.has_ended() {
                        return None;
                    }
                }
            }
        }
        self.lines.peek_line()
    }

    /// Drops the line that [`Stdio::peek_line`] showed.
    pub(crate) fn skip_line(&mut self) {
        self.lines.skip_line();
    }

    fn at_end(&mut self) -> Incoming {
        if let Some(frame) = self.lines.last_frame() {
            return Incoming::Frame { frame, ticket: None };
        }
        self.process.wait(EXIT_GRACE);
        Incoming::Closed(self.process.exit("closed its standard output but still runs"))
    }

    /// Waits for output until `deadline`, at most a slice. Where the answer was there before it was waited for, as it mostly is on
    /// one processor, it is taken without asking first, which costs as much as taking it.
    fn fill(&mut self, deadline: Instant) -> Filled {
        if self.waits == 0 {
            match self.read() {
                Filled::Nothing => self.waits = LOOK_AGAIN,
                filled => return filled,
            }
        }
        self.waits -= 1;
        let mut fds = [PollFd::new(&self.stdout, PollFlags::IN)];
        match poll(&mut fds, Some(&slice_until(Some(deadline)))) {
            Ok(0) | Err(_) => Filled::Nothing,
            Ok(_) => self.read(),
        }
    }

    fn has_output(&self) -> bool {
        let mut fds = [PollFd::new(&self.stdout, PollFlags::IN)];
        let ready = poll(&mut fds, Some(&Timespec { tv_sec: 0, tv_nsec: 0 }));
        ready.is_ok() && fds[0].revents().contains(PollFlags::IN)
    }

    fn read(&mut self) -> Filled {
        use std::io::Read;
        match self.stdout.read(self.lines.space()) {
            Ok(0) => Filled::Ended,
            Ok(count) => {
                self.lines.filled(count);
                Filled::Bytes
            }
            Err(error)
                if matches!(error.kind(), ErrorKind::Interrupted | ErrorKind::WouldBlock) =>
            {
                Filled::Nothing
            }
            Err(_) => Filled::Ended,
        }
    }

    /// The end of standard error so far.
    pub fn stderr_tail(&self) -> String {
        self.process.stderr_tail()
    }

    /// Closes standard input and waits, then terminates, then kills; output that comes meanwhile is kept as frames.
    pub fn close(mut self) -> Closing {
        let mut frames = Vec::new();
        let rung = self.climb(&mut frames);
        let left_behind = self.process.clear_group(GROUP_GRACE);
        let exit = self.process.exit("");
        Closing { exit, rung, frames, left_behind, http_delete: None }
    }

    fn climb(&mut self, frames: &mut Vec<Frame>) -> Rung {
        if self.process.has_ended() {
            self.drain(Duration::ZERO, frames);
            return Rung::Gone;
        }
        self.stdin = None;
        if self.drain(self.patience.stdin, frames) {
            return Rung::StdinClosed;
        }
        self.process.terminate();
        if self.drain(self.patience.terminate, frames) {
            return Rung::Terminated;
        }
        self.process.kill();
        self.drain(Duration::ZERO, frames);
        Rung::Killed
    }

    /// Takes output in until the process has ended, at most for `patience`; tells whether it has.
    fn drain(&mut self, patience: Duration, frames: &mut Vec<Frame>) -> bool {
        let until = Instant::now() + patience;
        loop {
            while let Some(frame) = self.lines.next_frame() {
                if frames.len() < KEPT_AT_CLOSE {
                    frames.push(frame);
                }
            }
            if self.output_ended || (self.process.has_ended() && !self.has_output()) {
                frames.extend(self.lines.last_frame());
                return self.process.wait(until.saturating_duration_since(Instant::now()));
            }
            if let Filled::Ended = self.fill(until) {
                self.output_ended = true;
            } else if Instant::now() >= until && !self.has_output() {
                return self.process.has_ended();
            }
        }
    }
}

/// How long a poll may take: until `deadline`, but at most a slice, after which the cancel flag and the child are looked at.
fn slice_until(deadline: Option<Instant>) -> Timespec {
    let left = deadline.map_or(IDLE_SLICE, |d| d.saturating_duration_since(Instant::now()));
    let slice = left.min(IDLE_SLICE);
    Timespec { tv_sec: 0, tv_nsec: i64::from(slice.subsec_nanos()) }
}
