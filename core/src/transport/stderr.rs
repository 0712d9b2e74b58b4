//! The end of a server's standard error.

use std::collections::VecDeque;
use std::io::Read;
use std::process::ChildStderr;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

/// How many bytes are kept.
const KEPT: usize = 64 * 1024;

/// The last 64 KiB of standard error, filled by a thread of its own so that a chatty server never blocks.
#[derive(Debug, Clone)]
pub(crate) struct StderrTail(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    tail: Mutex<Tail>,
    ended: Condvar,
}

#[derive(Debug)]
struct Tail {
    bytes: VecDeque<u8>,
    ended: bool,
}

impl StderrTail {
    /// Starts to drain `stream`.
    pub(crate) fn drain(mut stream: ChildStderr) -> std::io::Result<Self> {
        let tail = Tail { bytes: VecDeque::new(), ended: false };
        let shared = Arc::new(Shared { tail: Mutex::new(tail), ended: Condvar::new() });
        let writer = Arc::clone(&shared);
        let drain = move || {
            let mut chunk = vec![0; 8 * 1024];
            loop {
                match stream.read(&mut chunk) {
                    Ok(count) if count > 0 => writer.push(&chunk[..count]),
                    Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                    _ => break,
                }
            }
            writer.end();
        };
        std::thread::Builder::new().name("tooltest-stderr".to_owned()).spawn(drain)?;
        Ok(Self(shared))
    }

    /// What there is now.
    pub(crate) fn text(&self) -> String {
        let mut tail = self.0.tail.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(tail.bytes.make_contiguous()).into_owned()
    }

    /// What there is once the stream has ended, or after `patience` (a grandchild may hold the stream open).
    pub(crate) fn final_text(&self, patience: Duration) -> String {
        let tail = self.0.tail.lock().unwrap_or_else(PoisonError::into_inner);
        drop(self.0.ended.wait_timeout_while(tail, patience, |tail| !tail.ended));
        self.text()
    }
}

impl Shared {
    fn push(&self, chunk: &[u8]) {
        let mut tail = self.tail.lock().unwrap_or_else(PoisonError::into_inner);
        tail.bytes.extend(chunk);
        let surplus = tail.bytes.len().saturating_sub(KEPT);
        tail.bytes.drain(..surplus);
    }

    fn end(&self) {
        self.tail.lock().unwrap_or_else(PoisonError::into_inner).ended = true;
        self.ended.notify_all();
    }
}
