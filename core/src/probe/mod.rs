//! Probes: single messages outside of tool calls, planned by lints as data and sent by the run.
//!
//! A probe is legal but for the one fault it tests, and is followed by a known-good request (the fence), so that silence
//! can be told from death. Probes of the same name are the same probe: it is sent once, and every lint that planned it sees
//! what came of it.

mod reach;
mod run;

pub(crate) use run::{Opener, run};

use crate::exchange::{Exchange, HttpExchange, Reply};
use crate::message::Frame;
use crate::session::{Closing, MetaOption};
use serde_json::Value;
use std::time::Duration;

/// A short script of raw messages.
#[derive(Debug, Clone)]
pub struct Probe {
    /// What is probed, in a few words, for reports; equal for equal probes.
    pub name: String,
    /// The session that the probe runs in.
    pub session: ProbeSession,
    /// What is sent, in order.
    pub steps: Vec<ProbeStep>,
}

/// The session that a probe runs in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ProbeSession {
    /// One that all harmless probes share, opened in the usual way.
    Shared,
    /// One that all probes with faulty messages share, after the harmless ones; replaced when a fence is not answered.
    Rough,
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
    /// Any HTTP request to the server (HTTP only).
    Http(ProbeHttp),
    /// Frames are collected for that long, in milliseconds.
    Listen(u64),
    /// A known-good request; its answer shows that the server lives.
    Fence,
    /// The usual opening (for [`ProbeSession::Unopened`]).
    Open,
    /// The connection is closed in the usual way; the closing is recorded.
    Close,
    /// The connection is closed and the rest runs on another one, opened in the usual way (a new process on stdio).
    Reopen,
    /// A connection to that port on an address of this machine that is not loopback, tried for that long.
    Reach {
        /// The port.
        port: u16,
        /// How long it is tried, in milliseconds.
        wait: u64,
    },
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
    /// What becomes of `_meta`.
    pub meta: MetaOption,
    /// Headers to set (`Some`) or leave out (`None`) on HTTP, over the usual ones.
    pub headers: Vec<(String, Option<String>)>,
    /// How long to wait for the answer; absent means as usual.
    pub timeout: Option<Duration>,
    /// Take an `input_required` result as it is instead of answering its questions.
    pub unanswered: bool,
    /// Values of earlier answers that are put into the `params`; where one is not there, the request is not sent.
    pub bindings: Vec<ProbeBinding>,
}

/// A value of an earlier answer of the same probe, put into a request.
#[derive(Debug, Clone)]
pub struct ProbeBinding {
    /// Index of the earlier step, or of the first of several: the first whose result has the value counts.
    pub step: usize,
    /// JSON Pointer into that step's result.
    pub from: String,
    /// Member of the `params` that gets the value; or a JSON Pointer into them, to a place that is there.
    pub member: String,
    /// What the value becomes on its way.
    pub becomes: Becomes,
}

/// What a value becomes when it is put into a request.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Becomes {
    /// It stays as it is.
    #[default]
    Itself,
    /// It replaces the simple expression of that variable in the URI template that stands there.
    Variable(String),
    /// Input requests become the answers to them.
    Answers,
}

/// A free HTTP request of a probe.
#[derive(Debug, Clone, Default)]
pub struct ProbeHttp {
    /// The HTTP method; empty means `POST`.
    pub method: String,
    /// Path and query; absent means those of the target.
    pub path: Option<String>,
    /// Headers to set (`Some`) or leave out (`None`), over the usual ones.
    pub headers: Vec<(String, Option<String>)>,
    /// The body.
    pub body: ProbeBody,
    /// The step whose response gave the session id to send; absent means the session's own. Where that response gave none,
    /// the request is not sent.
    pub session_of: Option<usize>,
    /// How long to wait for the end of the response, in milliseconds; absent means as long as for any request.
    pub wait: Option<u64>,
}

/// The body of a free HTTP request.
#[derive(Debug, Clone, Default)]
pub enum ProbeBody {
    /// No body.
    #[default]
    Empty,
    /// These bytes.
    Bytes(Vec<u8>),
    /// A well-formed request, with the usual `_meta`; method and params.
    Request(String, Value),
    /// A well-formed notification; method and params.
    Notification(String, Value),
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
    /// The address that took a connection ([`ProbeStep::Reach`]).
    pub reached: Option<String>,
    /// Whether the connection was still there afterwards.
    pub alive: bool,
}

impl ProbeRun {
    /// The first exchange of a step, if it ran.
    pub fn exchange(&self, step: usize) -> Option<&Exchange> {
        self.steps.get(step)?.exchanges.first()
    }

    /// The HTTP response of a step, if it ran.
    pub fn http(&self, step: usize) -> Option<&HttpExchange> {
        self.steps.get(step)?.http.as_ref()
    }

    /// Whether the server answered the fence after the probe; `None` where there was no fence, or it was not reached.
    pub fn survived(&self) -> Option<bool> {
        let planned = self.probe.steps.iter().rposition(|step| matches!(step, ProbeStep::Fence))?;
        let Some(fence) = self.exchange(planned) else {
            // The steps before the fence ran and the connection was gone.
            return self.steps.last().filter(|last| !last.alive).map(|_| false);
        };
        Some(!matches!(fence.reply, Reply::Silence { .. } | Reply::Closed(_)))
    }
}
