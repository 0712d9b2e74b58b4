//! Requests under way.

use crate::exchange::{Documents, Exchange, HttpExchange, Reply, RpcError};
use crate::message::{Anomaly, Frame, FrameKind};
use crate::pointer::Members;
use crate::transport::Ticket;
use serde_json::Value;
use std::time::{Duration, Instant};

/// How long the right answer may come after one that has all but the right id.
const DOUBT_PATIENCE: Duration = Duration::from_millis(300);
/// How many frames are kept with one exchange.
const SIDE_CAP: usize = 1000;

/// A request that was sent and is not answered yet.
#[derive(Debug)]
pub(super) struct Waiting {
    pub method: String,
    pub params: Value,
    pub id: Value,
    pub token: Option<Value>,
    pub ticket: Option<Ticket>,
    /// The HTTP response is waited for, too.
    pub http_due: bool,
    pub started: Instant,
    pub timeout: Duration,
    pub deadline: Instant,
    pub hard: Instant,
    pub reply: Option<Reply>,
    pub frame: Option<Frame>,
    /// An answer that is this request's by all but its id.
    pub doubtful: Option<Frame>,
    pub side: Vec<Frame>,
    pub http: Option<Box<HttpExchange>>,
    pub elapsed: Duration,
}

impl Waiting {
    /// Whether nothing more is to come for it.
    pub(super) fn is_settled(&self) -> bool {
        self.reply.is_some() && (!self.http_due || self.http.is_some())
    }

    pub(super) fn is_overdue(&self, now: Instant) -> bool {
        self.reply.is_none() && now >= self.deadline
    }

    /// Settles it with the frame that carries its id.
    pub(super) fn answer(&mut self, mut frame: Frame) {
        if let Some(doubtful) = self.doubtful.take() {
            self.keep_aside(doubtful);
        }
        self.settle(reply_of(&mut frame));
        self.frame = Some(frame);
    }

    /// Notes a frame that must be the answer, but does not carry the id; the right one gets a little time to come.
    pub(super) fn doubt(&mut self, frame: Frame) {
        self.deadline = self.deadline.min(Instant::now() + DOUBT_PATIENCE);
        self.doubtful = Some(frame);
    }

    /// Settles it with a frame that has another id, or none.
    pub(super) fn accept_doubtful(&mut self, mut frame: Frame) {
        let reply = match (&frame.value, frame.id(), frame.kind()) {
            (None, ..) => Reply::Malformed(format!("the answer {}", unreadable(&frame))),
            (_, None | Some(Value::Null), FrameKind::Error) => reply_of(&mut frame),
            (_, id, _) => {
                let shown = id.map_or_else(|| "no id".to_owned(), |id| format!("id {id}"));
                Reply::Malformed(format!("the answer to id {} carries {shown}", self.id))
            }
        };
        self.settle(reply);
        self.frame = Some(frame);
    }

    pub(super) fn settle(&mut self, reply: Reply) {
        self.elapsed = self.started.elapsed();
        self.reply = Some(reply);
    }

    pub(super) fn keep_aside(&mut self, frame: Frame) {
        if self.side.len() < SIDE_CAP {
            self.side.push(frame);
        }
    }

    /// Gives it more time because the server shows that it is at work.
    pub(super) fn extend(&mut self, now: Instant) {
        let later = (now + self.timeout).min(self.hard);
        self.deadline = self.deadline.max(later);
    }

    pub(super) fn into_exchange(self) -> Exchange {
        Exchange {
            method: self.method,
            params: self.params,
            id: self.id,
            reply: self.reply.unwrap_or(Reply::Silence { responsive: false }),
            frame: self.frame,
            side: self.side,
            http: self.http.map(|http| *http),
            rounds: Vec::new(),
            elapsed: self.elapsed,
            documents: Documents::default(),
        }
    }
}

fn unreadable(frame: &Frame) -> String {
    let reason = frame.anomalies.iter().find_map(|anomaly| match anomaly {
        Anomaly::NotJson { reason, .. } => Some(format!("is not JSON: {reason}")),
        Anomaly::NotUtf8 { offset } => Some(format!("is not UTF-8 from byte {offset} on")),
        Anomaly::TooLong { bytes } => {
            Some(format!("is longer than the tester keeps ({bytes} bytes)"))
        }
        _ => None,
    });
    reason.unwrap_or_else(|| "is empty".to_owned())
}

/// Reads a frame as an answer. The result is moved out of the frame: a copy would cost more than reading it did.
pub(super) fn reply_of(frame: &mut Frame) -> Reply {
    match frame.kind() {
        FrameKind::Result => {
            let result = frame.value.as_mut().and_then(|v| v.get_mut("result"));
            Reply::Result(result.map_or(Value::Null, Value::take))
        }
        FrameKind::Error => {
            let raw =
                frame.value.as_ref().and_then(|v| v.member("error")).cloned().unwrap_or_default();
            Reply::Error(RpcError {
                code: raw.member("code").and_then(Value::as_i64),
                message: raw
                    .member("message")
                    .and_then(Value::as_str)
                    .unwrap_or_default()
                    .to_owned(),
                raw,
            })
        }
        _ => Reply::Malformed("the answer is neither a result nor an error".to_owned()),
    }
}
