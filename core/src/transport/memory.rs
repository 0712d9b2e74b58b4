//! A server in this process: messages over two channels.

use super::cancel::CancelToken;
use super::error::OpenError;
use super::{Closing, IDLE_SLICE, Incoming, Rung, Written};
use crate::exchange::Exit;
use crate::message::{Channel, Frame};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Instant;

/// The tester's end of a connection to an in-process server. Each message is one JSON-RPC message in UTF-8 without a
/// terminator. Dropping `to_server` asks the server to end; the server's dropping of its sender means that it has.
#[derive(Debug)]
pub struct MemoryChannel {
    /// What the tester sends.
    pub to_server: Sender<Vec<u8>>,
    /// What the server sends.
    pub from_server: Receiver<Vec<u8>>,
}

/// The server's end of such a connection.
#[derive(Debug)]
pub struct MemoryPeer {
    /// What the tester sends.
    pub from_tester: Receiver<Vec<u8>>,
    /// What the server sends.
    pub to_tester: Sender<Vec<u8>>,
}

impl MemoryChannel {
    /// The two ends of a new connection.
    pub fn pair() -> (Self, MemoryPeer) {
        let (to_server, from_tester) = channel();
        let (to_tester, from_server) = channel();
        (Self { to_server, from_server }, MemoryPeer { from_tester, to_tester })
    }
}

/// Starts a fresh in-process server for each session.
pub trait Connector: Send + Sync {
    /// Starts a server and returns the connection to it, or says in words why it could not.
    fn connect(&self) -> Result<MemoryChannel, String>;
}

/// A connection to an in-process server.
#[derive(Debug)]
pub struct Memory {
    channel: Option<MemoryChannel>,
    cancel: CancelToken,
}

impl Memory {
    /// Connects by way of `connector`.
    pub fn connect(connector: &dyn Connector, cancel: CancelToken) -> Result<Self, OpenError> {
        let channel = connector.connect().map_err(OpenError::Connect)?;
        Ok(Self { channel: Some(channel), cancel })
    }

    /// Hands over the messages in `bytes`, which are separated by line feeds.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> Written {
        let Some(channel) = &self.channel else {
            return Written::Closed;
        };
        let messages = bytes.split(|&byte| byte == b'\n').filter(|message| !message.is_empty());
        for message in messages {
            if channel.to_server.send(message.to_vec()).is_err() {
                return Written::Closed;
            }
        }
        Written::Whole
    }

    /// The next frame, or why there is none by `deadline`.
    pub(crate) fn receive(&mut self, deadline: Instant) -> Incoming {
        let Some(channel) = &self.channel else {
            return Incoming::Closed(ended());
        };
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match channel.from_server.recv_timeout(left.min(IDLE_SLICE)) {
                Ok(bytes) => {
                    let frame = Frame::parse(bytes, Channel::Memory);
                    return Incoming::Frame { frame, ticket: None };
                }
                Err(RecvTimeoutError::Disconnected) => {
                    self.channel = None;
                    return Incoming::Closed(ended());
                }
                Err(RecvTimeoutError::Timeout) if self.cancel.is_cancelled() => {
                    return Incoming::Cancelled;
                }
                Err(RecvTimeoutError::Timeout) if left <= IDLE_SLICE => return Incoming::Timeout,
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Drops the connection; messages that were not read yet are returned.
    pub(crate) fn close(self) -> Closing {
        let unread = self.channel.iter().flat_map(|channel| channel.from_server.try_iter());
        let frames = unread.map(|bytes| Frame::parse(bytes, Channel::Memory)).collect();
        Closing {
            exit: Exit::default(),
            rung: Rung::Gone,
            frames,
            left_behind: false,
            http_delete: None,
        }
    }
}

fn ended() -> Exit {
    Exit { detail: "the in-process server ended".to_owned(), ..Exit::default() }
}
