//! Resident memory of a process and of those that it started.

/// Processes that are looked at, at most.
const MOST: usize = 32;

/// Resident memory of a process and its descendants in KiB; none where the system does not tell.
pub(super) fn resident_kib(process: u32) -> Option<u64> {
    let own = of_process(process)?;
    let mut todo = children(process);
    let (mut sum, mut seen) = (own, 1);
    while let Some(process) = todo.pop().filter(|_| seen < MOST) {
        seen += 1;
        // One that has ended meanwhile holds nothing.
        sum += of_process(process).unwrap_or(0);
        todo.extend(children(process));
    }
    Some(sum)
}

fn of_process(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

/// What the process's threads have started.
fn children(process: u32) -> Vec<u32> {
    let Ok(threads) = std::fs::read_dir(format!("/proc/{process}/task")) else {
        return Vec::new();
    };
    let lists = threads
        .filter_map(Result::ok)
        .filter_map(|thread| std::fs::read_to_string(thread.path().join("children")).ok());
    lists
        .flat_map(|list| {
            list.split_whitespace().filter_map(|id| id.parse().ok()).collect::<Vec<_>>()
        })
        .collect()
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use std::process::{Command, Stdio};

    #[test]
    fn the_memory_of_children_counts() {
        let shell = Command::new("sh")
            .args(["-c", "echo ready; cat; true"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn();
        let mut shell = shell.unwrap();
        let mut byte = [0];
        std::io::Read::read_exact(shell.stdout.as_mut().unwrap(), &mut byte).unwrap();
        // `cat` is started after the word; it is there when it has answered.
        std::io::Write::write_all(shell.stdin.as_mut().unwrap(), b"x\n").unwrap();
        let mut answer = [0; 7];
        std::io::Read::read_exact(shell.stdout.as_mut().unwrap(), &mut answer).unwrap();
        let (alone, together) =
            (of_process(shell.id()).unwrap(), resident_kib(shell.id()).unwrap());
        drop(shell.stdin.take());
        shell.wait().unwrap();
        assert!(together > alone, "{together} KiB, the shell alone {alone} KiB");
    }
}
