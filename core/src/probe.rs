//! Probes: single messages outside of tool calls, planned by lints as data and sent by the run.
//!
//! A probe is legal but for the one fault it tests, and is followed by a known-good request (the fence), so that silence
//! can be told from death.

use crate::exchange::{Exchange, HttpExchange};
use crate::message::Frame;
use crate::session::Closing;
use serde_json::Value;

/// A short script of raw messages.
#[derive(Debug, Clone)]
pub struct Probe {
    /// What is probed, in a few words, for reports.
    pub name: String,
    /// The session that the probe runs in.
    pub session: ProbeSession,
    /// What is sent, in order.
    pub steps: Vec<ProbeStep>,
}

/// The session that a probe runs in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProbeSession {
    /// One that all harmless probes share, opened in the usual way.
    Shared,
    /// One of the probe's own, opened in the usual way and closed afterwards.
    Own,
    /// One of the probe's own on which nothing has been sent yet.
    Unopened,
}

/// One step of a probe.
#[derive(Debug, Clone)]
pub enum ProbeStep {
    /// A request whose answer is awaited.
    Request(ProbeRequest),
    /// A notification.
    Notify {
        /// The method.
        method: String,
        /// The `params`, or null.
        params: Value,
    },
    /// Bytes as they are (on stdio with a newline added, on HTTP as the body of a POST).
    Raw(Vec<u8>),
    /// Bytes written in pieces, one write each, to try the server's framing (stdio only).
    Chunks(Vec<Vec<u8>>),
    /// Requests written together before any answer is read.
    Together(Vec<(String, Value)>),
    /// Any HTTP request to the endpoint (HTTP only).
    Http(ProbeHttp),
    /// Frames are collected for that long, in milliseconds.
    Listen(u64),
    /// A known-good request; its answer shows that the server lives.
    Fence,
    /// The usual opening (for [`ProbeSession::Unopened`]).
    Open,
    /// The connection is closed in the usual way; the closing is recorded.
    Close,
}

/// A request of a probe, with every part free.
#[derive(Debug, Clone, Default)]
pub struct ProbeRequest {
    /// The method.
    pub method: String,
    /// The `params`, or null to leave them out.
    pub params: Value,
    /// The id; absent means the next one.
    pub id: Option<Value>,
    /// What to do with the modern era's `_meta`: absent means as usual; otherwise it replaces `_meta` whole (null: no `_meta`).
    pub meta: Option<Value>,
    /// Headers to set (`Some`) or leave out (`None`) on HTTP, over the usual ones.
    pub headers: Vec<(String, Option<String>)>,
}

/// A free HTTP request of a probe.
#[derive(Debug, Clone, Default)]
pub struct ProbeHttp {
    /// The HTTP method.
    pub method: String,
    /// Headers to set (`Some`) or leave out (`None`), over the usual ones.
    pub headers: Vec<(String, Option<String>)>,
    /// The body.
    pub body: Vec<u8>,
}

/// A probe as it ran.
#[derive(Debug, Clone)]
pub struct ProbeRun {
    /// The probe.
    pub probe: Probe,
    /// What each step brought; fewer than planned where the session broke off.
    pub steps: Vec<ProbeOutcome>,
    /// Why the probe could not start, if it could not.
    pub not_run: Option<String>,
    /// How its session ended, where it had one of its own.
    pub closing: Option<Closing>,
}

/// What a step of a probe brought.
#[derive(Debug, Clone, Default)]
pub struct ProbeOutcome {
    /// The exchanges of a request, of requests sent together, or of a fence.
    pub exchanges: Vec<Exchange>,
    /// Other frames that came in.
    pub frames: Vec<Frame>,
    /// The HTTP response of a free HTTP request.
    pub http: Option<HttpExchange>,
    /// Whether the connection was still there afterwards.
    pub alive: bool,
}
