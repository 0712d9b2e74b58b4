//! In-process servers: JavaScript starts them, messages cross as text.

use crate::notice::{Notice, Tell};
use std::collections::HashMap;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tooltest_core::session::Connector;
use tooltest_core::transport::MemoryChannel;

/// How long a function that makes a server may take.
const START_WITHIN: Duration = Duration::from_secs(30);

/// The sessions of one run with in-process servers.
#[derive(Default)]
pub(crate) struct Sessions(Mutex<Known>);

#[derive(Default)]
struct Known {
    last: u32,
    open: HashMap<u32, Entry>,
}

struct Entry {
    to_tester: Sender<Vec<u8>>,
    started: Option<Sender<Result<(), String>>>,
}

impl Sessions {
    fn lock(&self) -> MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn add(&self, to_tester: Sender<Vec<u8>>) -> (u32, Receiver<Result<(), String>>) {
        let (started, answer) = channel();
        let mut known = self.lock();
        known.last += 1;
        let session = known.last;
        known.open.insert(session, Entry { to_tester, started: Some(started) });
        (session, answer)
    }

    /// The server of a session runs, or could not be started.
    pub(crate) fn opened(&self, session: u32, outcome: Result<(), String>) {
        let started = self.lock().open.get_mut(&session).and_then(|entry| entry.started.take());
        if let Some(started) = started {
            let _ = started.send(outcome);
        }
    }

    /// Hands a message of a server over; returns whether anybody still listens.
    pub(crate) fn send(&self, session: u32, message: String) -> bool {
        let known = self.lock();
        let entry = known.open.get(&session);
        entry.is_some_and(|entry| entry.to_tester.send(message.into_bytes()).is_ok())
    }

    /// The server of a session has ended.
    pub(crate) fn closed(&self, session: u32) {
        self.lock().open.remove(&session);
    }

    /// Nobody waits any longer for servers that are being started.
    pub(crate) fn give_up(&self) {
        for entry in self.lock().open.values_mut() {
            entry.started = None;
        }
    }
}

/// Starts in-process servers by asking JavaScript.
pub(crate) struct NodeConnector {
    /// Asks.
    pub(crate) tell: Tell,
    /// Knows the answers.
    pub(crate) sessions: Arc<Sessions>,
}

impl Connector for NodeConnector {
    fn connect(&self) -> Result<MemoryChannel, String> {
        let (channel, peer) = MemoryChannel::pair();
        let (session, answer) = self.sessions.add(peer.to_tester);
        self.tell.tell(Notice::Open(session));
        let answered = answer.recv_timeout(START_WITHIN);
        let waited = START_WITHIN.as_secs();
        let late = |_| Err(format!("nothing happened for {waited} seconds, or the run was ended"));
        if let Err(words) = answered.unwrap_or_else(late) {
            self.sessions.closed(session);
            self.tell.tell(Notice::Close(session));
            return Err(format!("the in-process server could not be started: {words}"));
        }
        let tell = self.tell.clone();
        let pump = move || {
            deliver(&peer.from_tester, session, &tell);
        };
        let spawned = std::thread::Builder::new().name("tooltest-memory".to_owned()).spawn(pump);
        spawned.map_err(|error| format!("no thread could be started: {error}"))?;
        Ok(channel)
    }
}

/// Hands over what the tester sends, several messages at once where they came together, and then the end.
fn deliver(messages: &Receiver<Vec<u8>>, session: u32, tell: &Tell) {
    while let Ok(first) = messages.recv() {
        let mut batch = String::from_utf8_lossy(&first).into_owned();
        for next in messages.try_iter() {
            batch.push('\n');
            batch.push_str(&String::from_utf8_lossy(&next));
        }
        tell.tell(Notice::Messages(session, batch));
    }
    tell.tell(Notice::Close(session));
}
