//! In-process servers: Python starts them, messages cross as bytes.

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};
use std::sync::mpsc::{Receiver, Sender};
use std::sync::{Mutex, PoisonError};
use tooltest_core::session::Connector;
use tooltest_core::transport::MemoryChannel;

/// Starts in-process servers by calling Python.
pub(crate) struct PythonConnector {
    start: Py<PyAny>,
}

impl PythonConnector {
    /// `start(outbox)` starts a server that writes to the outbox, and returns what takes messages for it.
    pub(crate) const fn new(start: Py<PyAny>) -> Self {
        Self { start }
    }
}

impl Connector for PythonConnector {
    fn connect(&self) -> Result<MemoryChannel, String> {
        let (channel, peer) = MemoryChannel::pair();
        let outbox = Outbox(Mutex::new(Some(peer.to_tester)));
        let inbox = Python::try_attach(|py| self.start.call1(py, (outbox,)));
        let inbox = inbox
            .ok_or_else(|| "Python is ending".to_owned())?
            .map_err(|error| Python::attach(|py| describe(py, &error)))?;
        let pump = move || deliver(&peer.from_tester, &inbox);
        let spawned = std::thread::Builder::new().name("tooltest-memory".to_owned()).spawn(pump);
        spawned.map_err(|error| format!("no thread could be started: {error}"))?;
        Ok(channel)
    }
}

fn describe(py: Python<'_>, error: &PyErr) -> String {
    let kind =
        error.get_type(py).name().map_or_else(|_| "exception".to_owned(), |name| name.to_string());
    format!("the in-process server could not be started: {kind}: {}", error.value(py))
}

/// Hands over what the tester sends, several messages at once where they came together, and `None` at the end.
fn deliver(messages: &Receiver<Vec<u8>>, inbox: &Py<PyAny>) {
    while let Ok(first) = messages.recv() {
        let batch: Vec<Vec<u8>> = std::iter::once(first).chain(messages.try_iter()).collect();
        let handed = Python::try_attach(|py| {
            let list = PyList::new(py, batch.iter().map(|message| PyBytes::new(py, message)))?;
            inbox.call1(py, (list,)).map(drop)
        });
        if !matches!(handed, Some(Ok(()))) {
            return;
        }
    }
    let _ = Python::try_attach(|py| inbox.call1(py, (py.None(),)).map(drop));
}

/// Takes what an in-process server sends.
#[pyclass(frozen, module = "tooltest._native")]
pub(crate) struct Outbox(Mutex<Option<Sender<Vec<u8>>>>);

#[pymethods]
impl Outbox {
    /// Sends one message, without a line feed; returns whether anybody still listens.
    fn send(&self, message: &[u8]) -> bool {
        let sender = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        sender.as_ref().is_some_and(|sender| sender.send(message.to_vec()).is_ok())
    }

    /// Says that the server has ended.
    fn close(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
    }
}
