//! The runner as its ways in see it: ask, watch, and be sure that it is on record.

use super::audit::{Attempt, Audit, Outcome, Permit};
use super::error::{Code, Refusal, shown};
use super::execute::{Finished, Happening, Limits, Stream, execute};
use super::policy::{Policy, ScriptRequest};
use super::settings::{Level, Settings};
use schemars::JsonSchema;
use serde::Serialize;
use std::io::Write;
use std::sync::Arc;
use std::task::{Context, Poll};
use tokio::sync::{Semaphore, mpsc};
use tokio_util::sync::{CancellationToken, DropGuard};

/// How many scripts run at once.
const AT_ONCE: usize = 16;
/// How many lines wait for a caller that reads slowly. After that the script waits.
const WAITING: usize = 64;

/// A script's run as its caller sees it.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(crate) struct ScriptResult {
    /// The script's exit code; 128 and the signal's number where a signal ended it.
    #[serde(rename = "exitCode")]
    pub(crate) exit_code: i32,
    /// Milliseconds from start to end.
    pub(crate) duration_ms: u64,
    /// What it wrote to standard output.
    #[serde(skip_serializing_if = "String::is_empty")]
    #[schemars(default)]
    pub(crate) stdout: String,
    /// What it wrote to standard error.
    #[serde(skip_serializing_if = "String::is_empty")]
    #[schemars(default)]
    pub(crate) stderr: String,
    /// Whether output was cut.
    pub(crate) truncated: bool,
    /// The file in which the run is recorded.
    #[serde(rename = "logPath")]
    pub(crate) log_path: String,
}

/// A refusal or failure, with what the script wrote until then.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(crate) struct Failed {
    /// Why.
    #[serde(flatten)]
    pub(crate) refusal: Refusal,
    /// What it wrote to standard output.
    #[serde(skip_serializing_if = "String::is_empty")]
    #[schemars(default)]
    pub(crate) stdout: String,
    /// What it wrote to standard error.
    #[serde(skip_serializing_if = "String::is_empty")]
    #[schemars(default)]
    pub(crate) stderr: String,
}

/// The scripts that may run.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(crate) struct Listing {
    /// The scripts.
    pub(crate) scripts: Vec<ListedScript>,
}

/// A script that may run.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ListedScript {
    /// Its path, as `run_script` takes it.
    pub(crate) path: String,
    /// The names of the arguments that it may get.
    pub(crate) allowed_args: Vec<String>,
}

/// A run under way. Dropping it ends the script.
#[derive(Debug)]
pub(crate) struct Running {
    happenings: mpsc::Receiver<Happening>,
    _alive: DropGuard,
}

impl Running {
    /// What happens next; none after `Done`.
    pub(crate) async fn next(&mut self) -> Option<Happening> {
        self.happenings.recv().await
    }

    /// As [`Self::next`], for those who poll.
    pub(crate) fn poll_next(&mut self, cx: &mut Context<'_>) -> Poll<Option<Happening>> {
        self.happenings.poll_recv(cx)
    }
}

/// The guarded runner.
#[derive(Debug)]
pub(crate) struct Runner {
    policy: Policy,
    audit: Arc<Audit>,
    places: Semaphore,
    end: CancellationToken,
}

impl Runner {
    pub(crate) fn new(settings: Settings) -> Self {
        let audit = Audit::new(&settings.log_dir);
        let (places, end) = (Semaphore::new(AT_ONCE), CancellationToken::new());
        Self { policy: Policy::new(settings), audit, places, end }
    }

    /// What the policy was made of.
    pub(crate) fn settings(&self) -> &Settings {
        self.policy.settings()
    }

    /// What may run.
    pub(crate) fn policy(&self) -> &Policy {
        &self.policy
    }

    /// The audit log.
    pub(crate) fn audit(&self) -> &Arc<Audit> {
        &self.audit
    }

    /// Starts what is asked, where the policy allows it.
    pub(crate) fn start(
        self: &Arc<Self>,
        request: ScriptRequest,
        requester: Option<String>,
    ) -> Running {
        let (sender, happenings) = mpsc::channel(WAITING);
        let cancel = self.end.child_token();
        let runner = Arc::clone(self);
        let alive = cancel.clone().drop_guard();
        tokio::spawn(async move {
            let done = runner.attempt(&request, requester, &sender, &cancel).await;
            let _ = sender.send(Happening::Done(done)).await;
        });
        Running { happenings, _alive: alive }
    }

    /// Runs what is asked and waits for its end.
    pub(crate) async fn run(
        self: &Arc<Self>,
        request: ScriptRequest,
        requester: Option<String>,
    ) -> Result<ScriptResult, Failed> {
        let mut running = self.start(request, requester);
        let (mut stdout, mut stderr) = (String::new(), String::new());
        let lost = || Refusal::new(Code::Exec, "the run was lost");
        let done = loop {
            match running.next().await {
                Some(Happening::Line(stream, line)) => {
                    let text = if stream == Stream::Stdout { &mut stdout } else { &mut stderr };
                    text.push_str(&line.text);
                    text.push_str(if line.ended { "\n" } else { "" });
                }
                Some(Happening::Done(done)) => break done,
                None => break Err(lost()),
            }
        };
        match done
            .and_then(|finished| Ok((finished.end?, finished.duration_ms, finished.truncated)))
        {
            Ok((exit_code, duration_ms, truncated)) => {
                let log_path = self.audit.path().display().to_string();
                Ok(ScriptResult { exit_code, duration_ms, stdout, stderr, truncated, log_path })
            }
            Err(refusal) => Err(Failed { refusal, stdout, stderr }),
        }
    }

    /// The scripts that may run, on record.
    pub(crate) async fn list(&self, requester: Option<String>) -> Result<Listing, Refusal> {
        let attempt =
            Attempt { tool: "list_allowed", path: String::new(), args: Vec::new(), requester };
        self.record(attempt, Outcome::default()).await?;
        let Settings { scripts, args, .. } = self.settings();
        let listed =
            |name: &String| ListedScript { path: name.clone(), allowed_args: args.clone() };
        Ok(Listing { scripts: scripts.iter().map(|script| listed(&script.name)).collect() })
    }

    /// Records something that was refused before it came to the policy; gives the refusal to answer with.
    pub(crate) async fn refused(&self, attempt: Attempt, refusal: Refusal) -> Refusal {
        self.say(&attempt, &Outcome::from(&refusal));
        let (audit, answer) = (Arc::clone(&self.audit), refusal.clone());
        let recorded = tokio::task::spawn_blocking(move || audit.refused(attempt, answer));
        recorded.await.unwrap_or(refusal)
    }

    /// Ends every script that runs, and waits until all are on record. Nothing starts after that.
    pub(crate) async fn finish(&self) {
        self.end.cancel();
        let all = u32::try_from(AT_ONCE).unwrap_or(u32::MAX);
        if let Ok(places) = self.places.acquire_many(all).await {
            places.forget();
        }
    }

    async fn record(&self, attempt: Attempt, outcome: Outcome) -> Result<(), Refusal> {
        self.say(&attempt, &outcome);
        let audit = Arc::clone(&self.audit);
        let write = move || audit.admit(attempt)?.record(&outcome);
        tokio::task::spawn_blocking(write).await.unwrap_or_else(|_| Err(lost_log()))
    }

    /// One attempt from the question to the record.
    async fn attempt(
        &self,
        request: &ScriptRequest,
        requester: Option<String>,
        sender: &mpsc::Sender<Happening>,
        cancel: &CancellationToken,
    ) -> Result<Finished, Refusal> {
        let attempt = Attempt {
            tool: "run_script",
            path: request.path.clone(),
            args: request.args.clone(),
            requester,
        };
        let approved = match self.policy.approve(request) {
            Ok(approved) => approved,
            Err(refusal) => return Err(self.refused(attempt, refusal).await),
        };
        let Ok(_place) = self.places.try_acquire() else {
            return Err(self.refused(attempt, crowded()).await);
        };
        let permit = self.admit(attempt.clone()).await?;
        let Settings { max_output_bytes: output, max_line_bytes: line, .. } = *self.settings();
        let limits = Limits { output, line };
        let done = execute(&approved, limits, sender.clone(), cancel).await;
        let outcome = outcome(&done);
        self.say(&attempt, &outcome);
        let recorded = tokio::task::spawn_blocking(move || permit.record(&outcome)).await;
        recorded.unwrap_or_else(|_| Err(lost_log()))?;
        done
    }

    /// The right to run, once there is room for the record.
    async fn admit(&self, attempt: Attempt) -> Result<Permit, Refusal> {
        let audit = Arc::clone(&self.audit);
        let admitted = tokio::task::spawn_blocking(move || audit.admit(attempt));
        admitted.await.unwrap_or_else(|_| Err(lost_log()))
    }

    /// Tells standard error, as far as its level asks for it.
    fn say(&self, attempt: &Attempt, outcome: &Outcome) {
        let level = self.settings().log_level;
        let needed = if outcome.refusal.is_some() { Level::Warn } else { Level::Info };
        if level < needed {
            return;
        }
        let arguments =
            if level >= Level::Debug { format!(" {:?}", attempt.args) } else { String::new() };
        let what = match (&outcome.refusal, outcome.exit_code) {
            (Some(refusal), _) => refusal.to_string(),
            (None, Some(code)) => format!("exit code {code} after {} ms", outcome.duration_ms),
            (None, None) => "ok".to_owned(),
        };
        let path = shown(&attempt.path);
        // Standard error that is closed stops nothing; the audit log has everything.
        let _ = writeln!(std::io::stderr(), "runner: {} {path}{arguments}: {what}", attempt.tool);
    }
}

fn outcome(done: &Result<Finished, Refusal>) -> Outcome {
    match done {
        Ok(Finished { duration_ms, truncated, end }) => Outcome {
            duration_ms: *duration_ms,
            exit_code: end.as_ref().ok().copied(),
            truncated: *truncated,
            refusal: end.as_ref().err().cloned(),
        },
        Err(refusal) => Outcome::from(refusal),
    }
}

fn lost_log() -> Refusal {
    Refusal::policy("the audit log was lost")
}

fn crowded() -> Refusal {
    Refusal::policy(format!(
        "{AT_ONCE} scripts run already, and no more are allowed at once; ask again when one has ended"
    ))
}

#[cfg(test)]
#[path = "service_tests.rs"]
mod tests;
