//! The wire: bytes out, frames in, one file a transport. Nothing here knows what a message means.

mod cancel;
mod codec;
mod connection;
mod endpoint;
mod error;
mod event_source;
mod http;
mod http_call;
mod http_client;
mod json;
mod lines;
mod live;
mod memory;
mod process;
mod quick;
mod resident;
mod response;
mod sse;
mod stderr;
mod stdio;

pub use cancel::CancelToken;
pub use error::OpenError;
pub use http::{Http, RawRequest};
pub use live::kill_all;
pub use memory::{Connector, Memory, MemoryChannel, MemoryPeer};
pub use process::{Rung, ShutdownPatience};
pub use sse::Sse;
pub use stdio::Stdio;

pub(crate) use http::Posting;

use crate::exchange::{Exit, HttpExchange};
use crate::message::Frame;
use std::time::{Duration, Instant};

/// How long a wait lasts before the cancel flag and the child are looked at.
pub(crate) const IDLE_SLICE: Duration = Duration::from_millis(50);

/// Names one HTTP request while it is under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Ticket(pub(crate) u64);

/// What a wait came to.
#[derive(Debug)]
pub enum Incoming {
    /// A frame, and on HTTP the request whose response carried it.
    Frame {
        /// The frame.
        frame: Frame,
        /// The request; `None` on other transports and for the stand-alone stream.
        ticket: Option<Ticket>,
    },
    /// An HTTP request is done: its response has ended, or never came.
    Ended {
        /// The request.
        ticket: Ticket,
        /// What came back.
        http: Box<HttpExchange>,
    },
    /// Nothing came in time.
    Timeout,
    /// The cancel token was set.
    Cancelled,
    /// The server is gone.
    Closed(Exit),
}

/// What writing came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Written {
    /// Everything was written.
    Whole,
    /// The server did not read all of it in time.
    Timeout,
    /// The cancel token was set.
    Cancelled,
    /// The server has closed its end.
    Closed,
}

/// How a session ended.
#[derive(Debug, Clone)]
pub struct Closing {
    /// How the server ended.
    pub exit: Exit,
    /// What it took to end its process.
    pub rung: Rung,
    /// Frames that belong to no request: those not asked for before, and those that came while closing.
    pub frames: Vec<Frame>,
    /// Whether processes of the server's group outlived it (they were killed).
    pub left_behind: bool,
    /// The status of the DELETE that ends an HTTP session, where there was one.
    pub http_delete: Option<u16>,
}

/// A connection to a server.
#[derive(Debug)]
pub enum Transport {
    /// A process on pipes.
    Stdio(Box<Stdio>),
    /// A Streamable HTTP endpoint.
    Http(Box<Http>),
    /// An HTTP+SSE endpoint.
    Sse(Box<Sse>),
    /// A server in this process.
    Memory(Memory),
}

impl Transport {
    /// Writes messages, each ended by a line feed, where messages are not posted one by one.
    pub(crate) fn write(&mut self, bytes: &[u8], deadline: Instant) -> Written {
        match self {
            Self::Stdio(stdio) => stdio.write(bytes, deadline),
            Self::Memory(memory) => memory.write(bytes),
            Self::Http(_) | Self::Sse(_) => unreachable!("messages are posted over HTTP"),
        }
    }

    /// The HTTP side, where there is one.
    pub(crate) fn http(&mut self) -> Option<&mut Http> {
        match self {
            Self::Http(http) => Some(http),
            Self::Sse(sse) => Some(&mut sse.http),
            Self::Stdio(_) | Self::Memory(_) => None,
        }
    }

    /// Host and port of an HTTP endpoint; empty where there is none.
    pub(crate) fn address(&self) -> String {
        match self {
            Self::Http(http) => http.endpoint().address(),
            Self::Sse(sse) => sse.http.endpoint().address(),
            Self::Stdio(_) | Self::Memory(_) => String::new(),
        }
    }

    /// The next frame, or why there is none by `deadline`.
    pub(crate) fn receive(&mut self, deadline: Instant) -> Incoming {
        match self {
            Self::Stdio(stdio) => stdio.receive(deadline),
            Self::Http(http) => http.receive(deadline),
            Self::Sse(sse) => sse.receive(deadline),
            Self::Memory(memory) => memory.receive(deadline),
        }
    }

    /// Resident memory of the server process and those it started in KiB; none where there is no such process or the system does not tell.
    pub(crate) fn resident_kib(&self) -> Option<u64> {
        let Self::Stdio(stdio) = self else {
            return None;
        };
        resident::resident_kib(stdio.id())
    }

    /// The end of standard error so far; empty where there is none.
    pub(crate) fn stderr_tail(&self) -> String {
        match self {
            Self::Stdio(stdio) => stdio.stderr_tail(),
            Self::Http(_) | Self::Sse(_) | Self::Memory(_) => String::new(),
        }
    }

    /// Ends the connection in good order.
    pub(crate) fn close(self) -> Closing {
        match self {
            Self::Stdio(stdio) => stdio.close(),
            Self::Http(http) => http.close(),
            Self::Sse(sse) => sse.close(),
            Self::Memory(memory) => memory.close(),
        }
    }
}
