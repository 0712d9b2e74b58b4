//! The audit log: one line of JSON for every attempt, refused ones too, written before the answer is given.
//!
//! Nothing runs that could not be recorded: before a script starts, the log is opened and room for its line is taken.

use super::error::{Code, Refusal};
use super::lines::floor;
use crate::output::timestamp;
use serde::Serialize;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

/// The name of the log in its folder.
pub(crate) const FILE_NAME: &str = "runner-audit.jsonl";
/// How many bytes a line may have; what a caller sent is cut so that it fits.
const LONGEST_LINE: u64 = 64 * 1024;
/// How many bytes of one thing that a caller sent are kept.
const LONGEST_TEXT: usize = 512;
/// How many arguments are kept.
const MOST_ARGS: usize = 16;

/// What was attempted, by whom.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Attempt {
    /// The tool, or the way in.
    pub(crate) tool: &'static str,
    /// The script asked for, or the address where no script was.
    pub(crate) path: String,
    /// Its arguments as asked.
    pub(crate) args: Vec<String>,
    /// Who asked, as far as it is known.
    pub(crate) requester: Option<String>,
}

/// What came of an attempt.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Outcome {
    /// Milliseconds from the start of the script to its end.
    pub(crate) duration_ms: u64,
    /// The script's exit code, where it ended by itself.
    pub(crate) exit_code: Option<i32>,
    /// Whether output was cut.
    pub(crate) truncated: bool,
    /// Why it was refused or failed.
    pub(crate) refusal: Option<Refusal>,
}

impl From<&Refusal> for Outcome {
    fn from(refusal: &Refusal) -> Self {
        Self { refusal: Some(refusal.clone()), ..Self::default() }
    }
}

#[derive(Serialize)]
struct Line<'a> {
    ts: String,
    tool: &'a str,
    path: String,
    args: Vec<String>,
    duration_ms: u64,
    #[serde(rename = "exitCode")]
    exit_code: Option<i32>,
    result: &'a str,
    truncated: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    requester: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
}

/// The log.
#[derive(Debug)]
pub(crate) struct Audit {
    path: PathBuf,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// Attempts that have room and no line yet.
    open: u64,
    /// Lines of scripts that ran and that could not be written at their end. They come first once the log can be written.
    owed: Vec<Vec<u8>>,
    /// The last write broke off within a line.
    torn: bool,
}

/// The right to record one attempt.
#[derive(Debug)]
pub(crate) struct Permit {
    audit: Arc<Audit>,
    attempt: Attempt,
    recorded: bool,
}

impl Audit {
    /// The log in `folder`; the folder is made at the first attempt.
    pub(crate) fn new(folder: &Path) -> Arc<Self> {
        Arc::new(Self { path: folder.join(FILE_NAME), state: Mutex::default() })
    }

    /// The log's file.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Takes room for the line of an attempt. Without it nothing may happen.
    pub(crate) fn admit(self: &Arc<Self>, attempt: Attempt) -> Result<Permit, Refusal> {
        let mut state = self.state();
        let ready = self.open().and_then(|mut file| {
            settle(&mut state, &mut file)?;
            reserve(&file, (state.open + 1) * LONGEST_LINE)
        });
        ready.map_err(|error| self.unwritable("so nothing runs", &error))?;
        state.open += 1;
        Ok(Permit { audit: Arc::clone(self), attempt, recorded: false })
    }

    /// Records an attempt that was refused before anything could happen; gives the refusal to answer with.
    pub(crate) fn refused(self: &Arc<Self>, attempt: Attempt, refusal: Refusal) -> Refusal {
        let outcome = Outcome::from(&refusal);
        match self.admit(attempt).and_then(|permit| permit.record(&outcome)) {
            Ok(()) => refusal,
            Err(unwritable) => unwritable,
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn open(&self) -> io::Result<File> {
        if let Some(folder) = self.path.parent() {
            std::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
        }
        OpenOptions::new().append(true).create(true).mode(0o600).open(&self.path)
    }

    fn write(&self, line: Vec<u8>) -> io::Result<()> {
        let mut state = self.state();
        state.open = state.open.saturating_sub(1);
        state.owed.push(line);
        let mut file = self.open()?;
        settle(&mut state, &mut file)?;
        match file.sync_data() {
            // A pipe or a device has nothing to sync.
            Err(error) if error.kind() != io::ErrorKind::InvalidInput => Err(error),
            _ => Ok(()),
        }
    }

    fn unwritable(&self, so: &str, error: &io::Error) -> Refusal {
        let (path, reason) = (self.path.display(), crate::failure::plain(error));
        Refusal::policy(format!(
            "the audit log {path} cannot be written ({reason}), {so}; scripts are allowed once it can be written"
        ))
    }
}

impl Permit {
    /// Writes the line. After an error the line is owed: it is written before anything else happens.
    pub(crate) fn record(mut self, outcome: &Outcome) -> Result<(), Refusal> {
        let line = line(&self.attempt, outcome);
        self.recorded = true;
        self.audit
            .write(line)
            .map_err(|error| self.audit.unwritable("so what happened is not recorded yet", &error))
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        if !self.recorded {
            let refusal = Refusal::new(Code::Exec, "ended with tooltest before it was finished");
            let _ = self.audit.write(line(&self.attempt, &Outcome::from(&refusal)));
        }
    }
}

/// Writes what is owed, oldest first.
fn settle(state: &mut State, file: &mut File) -> io::Result<()> {
    while let Some(line) = state.owed.first() {
        let whole = if state.torn { [b"\n", &line[..]].concat() } else { line.clone() };
        let mut rest = &whole[..];
        while !rest.is_empty() {
            match file.write(rest) {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                Ok(count) => rest = &rest[count..],
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
            state.torn = !rest.is_empty();
        }
        state.owed.remove(0);
    }
    Ok(())
}

/// Makes sure that `bytes` can be appended, without changing what a reader sees.
fn reserve(mut file: &File, bytes: u64) -> io::Result<()> {
    // Devices and pipes say here whether they take anything.
    let _ = file.write(&[])?;
    #[cfg(target_os = "linux")]
    {
        use rustix::fs::FallocateFlags;
        use rustix::io::Errno;
        let end = file.metadata()?.len();
        match rustix::fs::fallocate(file, FallocateFlags::KEEP_SIZE, end, bytes) {
            Ok(()) => return Ok(()),
            Err(Errno::OPNOTSUPP | Errno::NOSYS | Errno::NODEV | Errno::SPIPE | Errno::INVAL) => {}
            Err(error) => return Err(error.into()),
        }
    }
    if !file.metadata()?.is_file() {
        return Ok(());
    }
    let room = rustix::fs::fstatvfs(file)?;
    if room.f_bavail.saturating_mul(room.f_frsize) < bytes {
        return Err(io::ErrorKind::StorageFull.into());
    }
    Ok(())
}

fn line(attempt: &Attempt, outcome: &Outcome) -> Vec<u8> {
    let line = Line {
        ts: now(),
        tool: attempt.tool,
        path: cut(&attempt.path),
        args: attempt.args.iter().take(MOST_ARGS).map(|arg| cut(arg)).collect(),
        duration_ms: outcome.duration_ms,
        exit_code: outcome.exit_code,
        result: outcome.refusal.as_ref().map_or("ok", |refusal| refusal.code.as_str()),
        truncated: outcome.truncated,
        requester: attempt.requester.as_deref().map(cut),
        message: outcome.refusal.as_ref().map(|refusal| cut(&refusal.message)),
    };
    let mut bytes = serde_json::to_vec(&line).expect("plain data");
    bytes.push(b'\n');
    bytes
}

fn cut(text: &str) -> String {
    let head = &text[..floor(text, LONGEST_TEXT)];
    if head.len() < text.len() { format!("{head}…") } else { text.to_owned() }
}

/// The time in UTC with milliseconds.
fn now() -> String {
    let elapsed = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    format!("{}.{:03}Z", timestamp(elapsed.as_secs()), elapsed.subsec_millis())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};
    use std::os::unix::fs::symlink;

    fn attempt(path: &str) -> Attempt {
        Attempt {
            tool: "run_script",
            path: path.to_owned(),
            args: vec!["-v".to_owned()],
            requester: None,
        }
    }

    fn lines(audit: &Audit) -> Vec<Value> {
        let text = std::fs::read_to_string(audit.path()).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    #[test]
    fn every_attempt_is_one_line_with_the_same_fields() {
        let folder = tempfile::tempdir().unwrap();
        let audit = Audit::new(&folder.path().join("a/b"));
        let done = Outcome { duration_ms: 7, exit_code: Some(3), truncated: true, refusal: None };
        audit.admit(attempt("a.sh")).unwrap().record(&done).unwrap();
        let mut stranger = attempt("x\n{}");
        stranger.requester = Some("127.0.0.1".to_owned());
        let refusal = audit.refused(stranger, Refusal::forbidden("no"));
        assert_eq!(refusal.code, Code::Forbidden);
        let mut lines = lines(&audit);
        for line in &mut lines {
            let ts = line.as_object_mut().unwrap().shift_remove("ts").unwrap();
            assert!(ts.as_str().unwrap().ends_with('Z'), "{ts}");
        }
        assert_eq!(
            lines,
            [
                json!({"tool": "run_script", "path": "a.sh", "args": ["-v"], "duration_ms": 7, "exitCode": 3,
                    "result": "ok", "truncated": true}),
                json!({"tool": "run_script", "path": "x\n{}", "args": ["-v"], "duration_ms": 0, "exitCode": null,
                    "result": "E_FORBIDDEN", "truncated": false, "requester": "127.0.0.1", "message": "no"}),
            ]
        );
    }

    #[test]
    fn a_line_never_needs_more_room_than_was_taken() {
        let huge = "\u{1}".repeat(100_000);
        let attempt = Attempt {
            tool: "run_script",
            path: huge.clone(),
            args: vec![huge.clone(); 100],
            requester: Some(huge.clone()),
        };
        let line = line(&attempt, &Outcome::from(&Refusal::policy(huge)));
        assert!(line.len() as u64 <= LONGEST_LINE, "{}", line.len());
    }

    #[test]
    fn a_full_disk_and_an_unwritable_log_let_nothing_run() {
        let folder = tempfile::tempdir().unwrap();
        symlink("/dev/full", folder.path().join(FILE_NAME)).unwrap();
        let full = Audit::new(folder.path());
        let refusal = full.admit(attempt("a")).unwrap_err();
        assert_eq!(refusal.code, Code::Policy);
        assert!(refusal.message.contains("no space left"), "{refusal}");
        assert_eq!(full.refused(attempt("a"), Refusal::forbidden("no")).code, Code::Policy);

        std::fs::write(folder.path().join("file"), "").unwrap();
        let nowhere = Audit::new(&folder.path().join("file/sub"));
        assert_eq!(nowhere.admit(attempt("a")).unwrap_err().code, Code::Policy);
    }

    #[test]
    fn a_line_that_could_not_be_written_comes_first_once_it_can() {
        let folder = tempfile::tempdir().unwrap();
        let audit = Audit::new(folder.path());
        let permit = audit.admit(attempt("first")).unwrap();
        // Between the start of the script and its end the log becomes unwritable.
        std::fs::remove_file(audit.path()).unwrap();
        symlink("/dev/full", audit.path()).unwrap();
        let refusal = permit.record(&Outcome::default()).unwrap_err();
        assert!(refusal.message.contains("not recorded yet"), "{refusal}");
        assert!(audit.admit(attempt("second")).is_err(), "nothing runs meanwhile");
        std::fs::remove_file(audit.path()).unwrap();
        audit.admit(attempt("third")).unwrap().record(&Outcome::default()).unwrap();
        let paths: Vec<Value> = lines(&audit).iter().map(|line| line["path"].clone()).collect();
        assert_eq!(paths, ["first", "third"]);
    }

    #[test]
    fn an_attempt_that_is_dropped_is_recorded_all_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let audit = Audit::new(folder.path());
        drop(audit.admit(attempt("a")).unwrap());
        assert_eq!(lines(&audit)[0]["result"], "E_EXEC");
    }
}
