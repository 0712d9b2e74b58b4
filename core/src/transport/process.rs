//! A server's process: started in a group of its own, always ended and reaped.

use super::error::OpenError;
use super::stderr::StderrTail;
use crate::exchange::Exit;
use crate::input::StdioTarget;
use rustix::process::{Pid, Signal};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// What it took to end a server.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum Rung {
    /// It had ended by itself before it was asked to, or there is no process.
    Gone,
    /// It ended when its standard input was closed.
    StdinClosed,
    /// It needed SIGTERM.
    Terminated,
    /// It needed SIGKILL.
    Killed,
}

/// How long each rung of the shutdown waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShutdownPatience {
    /// After standard input was closed.
    pub stdin: Duration,
    /// After SIGTERM.
    pub terminate: Duration,
}

impl Default for ShutdownPatience {
    fn default() -> Self {
        Self { stdin: Duration::from_secs(5), terminate: Duration::from_secs(2) }
    }
}

/// A running child and its process group. Dropping it kills the group.
#[derive(Debug)]
pub(crate) struct Process {
    child: Child,
    group: Pid,
    status: Option<ExitStatus>,
    stderr: StderrTail,
    /// Processes of the group were still there when the child had ended.
    group_survives: bool,
}

impl Process {
    /// Starts `target` with `extra_env` on top of the inherited environment and the target's own variables.
    pub(crate) fn spawn(
        target: &StdioTarget,
        extra_env: &[(String, String)],
    ) -> Result<(Self, ChildStdin, ChildStdout), OpenError> {
        if let Some(cwd) = target.cwd.as_deref().filter(|cwd| !Path::new(cwd).is_dir()) {
            return Err(OpenError::WorkingDirectory { cwd: cwd.to_owned() });
        }
        let mut command = Command::new(&target.command);
        if target.only_env {
            command.env_clear();
        }
        command.args(&target.args).envs(&target.env);
        command.envs(extra_env.iter().map(|(name, value)| (name, value)));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(cwd) = &target.cwd {
            command.current_dir(cwd);
        }
        let mut child = command.process_group(0).spawn().map_err(|e| spawn_error(target, &e))?;
        let group = Pid::from_child(&child);
        let (stdin, stdout, stderr) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(stdin), Some(stdout), Some(stderr)) = (stdin, stdout, stderr) else {
            unreachable!("all three streams were asked for as pipes");
        };
        match StderrTail::drain(stderr) {
            Ok(stderr) => {
                super::live::add(group);
                Ok((
                    Self { child, group, status: None, stderr, group_survives: false },
                    stdin,
                    stdout,
                ))
            }
            Err(error) => {
                signal_group(group, Signal::KILL);
                drop(child.wait());
                Err(spawn_error(target, &error))
            }
        }
    }

    /// The process id.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Whether the child has ended; reaps it if so.
    pub(crate) fn has_ended(&mut self) -> bool {
        if self.status.is_none() {
            // The only error is "no such child", which means that somebody else reaped it.
            self.status = self.child.try_wait().unwrap_or_else(|_| Some(ExitStatus::default()));
            if self.status.is_some() {
                self.group_survives = rustix::process::test_kill_process_group(self.group).is_ok();
            }
        }
        self.status.is_some()
    }

    /// Waits until the child has ended, at most `patience`.
    pub(crate) fn wait(&mut self, patience: Duration) -> bool {
        let until = Instant::now() + patience;
        let mut pause = Duration::from_micros(200);
        while !self.has_ended() {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return false;
            }
            std::thread::sleep(pause.min(left));
            pause = (pause * 2).min(Duration::from_millis(10));
        }
        true
    }

    /// Asks the group to end.
    pub(crate) fn terminate(&self) {
        signal_group(self.group, Signal::TERM);
    }

    /// Kills the group and reaps the child.
    pub(crate) fn kill(&mut self) {
        signal_group(self.group, Signal::KILL);
        if self.status.is_none() {
            self.status = self.child.wait().ok();
        }
    }

    /// After the child has ended: gives the rest of its group a moment to follow, and kills what stays. Tells whether
    /// something did.
    pub(crate) fn clear_group(&mut self, patience: Duration) -> bool {
        let until = Instant::now() + patience;
        while self.group_survives {
            self.group_survives = has_live_member(self.group);
            if !self.group_survives {
                return false;
            }
            if Instant::now() >= until {
                signal_group(self.group, Signal::KILL);
                self.group_survives = false;
                return true;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        false
    }

    /// How it ended, or `detail` alone while it runs.
    pub(crate) fn exit(&mut self, detail: &str) -> Exit {
        let ended = self.has_ended();
        let patience = if ended { Duration::from_millis(200) } else { Duration::ZERO };
        Exit {
            code: self.status.and_then(|status| status.code()),
            signal: self.status.and_then(|status| status.signal()),
            detail: if ended { String::new() } else { detail.to_owned() },
            stderr: self.stderr.final_text(patience),
        }
    }

    /// The end of standard error so far.
    pub(crate) fn stderr_tail(&self) -> String {
        self.stderr.text()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if self.status.is_none() {
            self.kill();
        } else {
            self.clear_group(Duration::ZERO);
        }
        super::live::remove(self.group);
    }
}

/// Whether a process of the group runs, not counting those that have ended and wait to be reaped by somebody.
fn has_live_member(group: Pid) -> bool {
    if rustix::process::test_kill_process_group(group).is_err() {
        return false;
    }
    let Ok(processes) = std::fs::read_dir("/proc") else {
        return true;
    };
    let wanted = group.as_raw_nonzero().to_string();
    let is_live_member = |stat: String| {
        // After the name in parentheses come state, parent and group.
        let rest = stat.rsplit_once(')').map_or("", |(_, rest)| rest);
        let mut fields = rest.split_ascii_whitespace();
        let state = fields.next().unwrap_or_default();
        !matches!(state, "Z" | "X" | "") && fields.nth(1) == Some(wanted.as_str())
    };
    processes.flatten().any(|process| {
        std::fs::read_to_string(process.path().join("stat")).is_ok_and(is_live_member)
    })
}

fn signal_group(group: Pid, signal: Signal) {
    // An error means that nothing of the group is left, which is what was wanted.
    let _ = rustix::process::kill_process_group(group, signal);
}

fn spawn_error(target: &StdioTarget, error: &std::io::Error) -> OpenError {
    let command = target.command.clone();
    let exec_format = rustix::io::Errno::NOEXEC.raw_os_error();
    match error.kind() {
        std::io::ErrorKind::NotFound => OpenError::CommandNotFound { command },
        std::io::ErrorKind::PermissionDenied => {
            OpenError::NotExecutable { command, reason: error.to_string() }
        }
        _ if error.raw_os_error() == Some(exec_format) => {
            OpenError::NotExecutable { command, reason: error.to_string() }
        }
        _ => OpenError::Spawn { command, reason: error.to_string() },
    }
}
