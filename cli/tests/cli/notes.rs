//! The notes server of the tests, over HTTP or pipes.

use std::io::{BufRead as _, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

/// Where its script is.
pub(crate) fn script() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/servers/notes.py")
}

/// One that listens.
pub(crate) struct Notes {
    child: Child,
    pub(crate) url: String,
}

impl Notes {
    pub(crate) fn start(python: &str, flags: &[&str]) -> Self {
        let mut child = Command::new(python)
            .arg(script())
            .arg("--http")
            .args(flags)
            .stdin(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let url = lines.next().unwrap().unwrap();
        // Whatever else it writes is read, so that it never waits for a reader.
        std::thread::spawn(move || lines.map_while(Result::ok).for_each(drop));
        Self { child, url }
    }
}

impl Drop for Notes {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
