//! Everything that a script started, however it tries to get away: its process group, and whoever bears its mark.

use rustix::process::{Pid, Signal};
#[cfg(target_os = "linux")]
use rustix::process::{Resource, Rlimit, getrlimit, prlimit};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How often the processes are looked through for more; one that forks as fast as it can needs several looks.
const LOOKS: usize = 100;
/// Marks are at least this many microseconds of real-time scheduling, weeks: far more than a script takes.
#[cfg(target_os = "linux")]
const LEAST_MARK: u64 = 1 << 42;

/// The groups that run, so that a process that ends at once leaves none behind.
static LIVE: Mutex<Vec<(Pid, Option<u64>)>> = Mutex::new(Vec::new());

/// Kills every running script. For a process that is about to end without waiting for anything.
pub(crate) fn kill_all() {
    let live = std::mem::take(&mut *live());
    for (id, mark) in live {
        kill(id, mark);
    }
}

fn live() -> MutexGuard<'static, Vec<(Pid, Option<u64>)>> {
    LIVE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The processes of one script. Dropping it kills them.
#[derive(Debug)]
pub(crate) struct Group {
    id: Pid,
    mark: Option<u64>,
}

impl Group {
    /// The group that the process with that id leads; it is marked.
    ///
    /// The mark is a limit that has no effect on ordinary programs (the time that a real-time process may run on), that
    /// children inherit whatever they change about themselves, and that only a privileged process can raise again. So a child
    /// that makes a session of its own and clears its environment is still known.
    pub(crate) fn of(leader: u32) -> Option<Self> {
        let id = Pid::from_raw(i32::try_from(leader).ok()?)?;
        let mark = mark(id);
        live().push((id, mark));
        Some(Self { id, mark })
    }
}

/// Kills a group and those who bear its mark, until there are none.
fn kill(group: Pid, mark: Option<u64>) {
    for _ in 0..LOOKS {
        // A child that was being made while its parent was marked has no mark yet.
        if let Some(mark) = mark {
            adopt(group, mark);
        }
        // An error means that nothing of the group is left, which is what was wanted.
        let _ = rustix::process::kill_process_group(group, Signal::KILL);
        let marked = mark.map_or_else(Vec::new, bearers);
        if marked.is_empty() {
            return;
        }
        for process in marked {
            let _ = rustix::process::kill_process(process, Signal::KILL);
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        kill(self.id, self.mark);
        live().retain(|(id, _)| *id != self.id);
    }
}

#[cfg(target_os = "linux")]
fn mark(leader: Pid) -> Option<u64> {
    use std::hash::{BuildHasher as _, Hasher as _, RandomState};
    // A script that runs tooltest that runs a script: the inner mark is below the outer one.
    let most = getrlimit(Resource::Rttime).maximum.unwrap_or(1 << 62);
    let room = most.checked_sub(LEAST_MARK).filter(|room| *room > 0)?;
    let mut hasher = RandomState::new().build_hasher();
    hasher.write_i32(leader.as_raw_nonzero().get());
    let mark = LEAST_MARK + hasher.finish() % room;
    set(leader, mark)?;
    // What it had started by then inherited nothing; whatever these start afterwards does.
    adopt(leader, mark);
    Some(mark)
}

/// Marks whatever was started by a process, or by one that bears the mark, and has none.
#[cfg(target_os = "linux")]
fn adopt(leader: Pid, mark: u64) {
    for _ in 0..LOOKS {
        let unmarked = descendants(leader, mark);
        if unmarked.is_empty() {
            return;
        }
        for process in unmarked {
            // An error means that it has ended.
            let _ = set(process, mark);
        }
    }
}

#[cfg(not(target_os = "linux"))]
fn adopt(_leader: Pid, _mark: u64) {}

#[cfg(target_os = "linux")]
fn set(process: Pid, mark: u64) -> Option<()> {
    let limit = || Rlimit { current: Some(mark), maximum: Some(mark) };
    prlimit(Some(process), Resource::Rttime, limit()).ok().map(drop)
}

/// The processes that a process, or one that bears the mark, has started, and those have, that live without the mark.
#[cfg(target_os = "linux")]
fn descendants(leader: Pid, mark: u64) -> Vec<Pid> {
    let mut family = bearers(mark);
    family.insert(0, leader);
    let mark = mark.to_string();
    let parents: Vec<(Pid, Pid)> = processes().filter_map(|id| Some((id, parent(id)?))).collect();
    let mut seen = 0;
    while seen < family.len() {
        let parent = family[seen];
        let children = parents.iter().filter(|(_, of)| *of == parent).map(|(id, _)| *id);
        let new: Vec<Pid> = children.filter(|id| !family.contains(id)).collect();
        family.extend(new);
        seen += 1;
    }
    let unmarked = |id: &Pid| !bears(&folder(*id), &mark) && lives(&folder(*id));
    family.into_iter().skip(1).filter(unmarked).collect()
}

#[cfg(target_os = "linux")]
fn parent(id: Pid) -> Option<Pid> {
    Pid::from_raw(stat(&folder(id)).split_whitespace().nth(1)?.parse().ok()?)
}

fn folder(id: Pid) -> PathBuf {
    Path::new("/proc").join(id.as_raw_nonzero().to_string())
}

/// All processes that there are.
fn processes() -> impl Iterator<Item = Pid> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| Pid::from_raw(entry.file_name().to_str()?.parse().ok()?))
}

#[cfg(not(target_os = "linux"))]
fn mark(_leader: Pid) -> Option<u64> {
    None
}

/// The processes that bear a mark, not counting those that have ended.
fn bearers(mark: u64) -> Vec<Pid> {
    let mark = mark.to_string();
    processes().filter(|id| bears(&folder(*id), &mark) && lives(&folder(*id))).collect()
}

fn bears(process: &Path, mark: &str) -> bool {
    let limits = std::fs::read_to_string(process.join("limits")).unwrap_or_default();
    let limit = limits.lines().find_map(|line| line.strip_prefix("Max realtime timeout"));
    limit.is_some_and(|limit| limit.split_whitespace().any(|word| word == mark))
}

fn lives(process: &Path) -> bool {
    !matches!(stat(process).split_whitespace().next(), None | Some("Z" | "X"))
}

/// What the system says of a process after its name in parentheses: the state and the parent come first; empty where it is gone.
fn stat(process: &Path) -> String {
    let stat = std::fs::read_to_string(process.join("stat")).unwrap_or_default();
    stat.rsplit_once(')').map(|(_, rest)| rest.to_owned()).unwrap_or_default()
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use std::io::{BufRead as _, BufReader};
    use std::process::{Command, Stdio};

    #[test]
    fn what_was_started_before_the_mark_is_ended_too() {
        // It has left the group, and its parent, by the time that the group is known.
        let text = "setsid sleep 1000 </dev/null >/dev/null 2>&1 & echo $!; exec sleep 1000";
        let mut script = Command::new("sh");
        script.args(["-c", text]).stdout(Stdio::piped());
        let mut leader = script.spawn().unwrap();
        let mut line = String::new();
        BufReader::new(leader.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let child = Pid::from_raw(line.trim().parse().unwrap()).unwrap();
        assert!(lives(&folder(child)));
        drop(Group::of(leader.id()).unwrap());
        leader.kill().unwrap();
        leader.wait().unwrap();
        assert!(!lives(&folder(child)));
    }
}
